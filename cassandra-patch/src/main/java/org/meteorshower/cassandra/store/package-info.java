/* SPDX-License-Identifier: Apache-2.0 */
/** Cassandra's partition updates and rows as the middleware's updates, histories and store. */
@NullMarked
package org.meteorshower.cassandra.store;

import org.jspecify.annotations.NullMarked;
