/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A data centre's process in a Cassandra node: who runs it, where it keeps what it knows, and how it talks to the
 * others.
 */
@NullMarked
package org.meteorshower.cassandra.transactions.node;

import org.jspecify.annotations.NullMarked;
