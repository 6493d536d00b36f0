/* SPDX-License-Identifier: Apache-2.0 */
/** Transactions on rows that come and go in partitions: by name, by range, and by keys that are computed. */
@NullMarked
package org.meteorshower.transactions.simulator.shelves;

import org.jspecify.annotations.NullMarked;
