/* SPDX-License-Identifier: Apache-2.0 */
/** Runs a core: one thread, bounded queues, and ports to the store and the other data centres. */
@NullMarked
package org.meteorshower.transactions.runtime;

import org.jspecify.annotations.NullMarked;
