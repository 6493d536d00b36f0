/* SPDX-License-Identifier: Apache-2.0 */
/** Transactions of the benchmark: what is asked, by whom it is answered, and whether the answers can be true. */
@NullMarked
package org.meteorshower.lab.transactions;

import org.jspecify.annotations.NullMarked;
