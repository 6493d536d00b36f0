/* SPDX-License-Identifier: Apache-2.0 */
/** What a simulated data centre has on its disk besides the log: rows, in versions and as users see them. */
@NullMarked
package org.meteorshower.transactions.simulator.tables;

import org.jspecify.annotations.NullMarked;
