/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Catenae: strictly serializable transactions over data centres. {@link org.meteorshower.transactions.Catenae} is the
 * core of one data centre, a deterministic state machine.
 */
@NullMarked
package org.meteorshower.transactions;

import org.jspecify.annotations.NullMarked;
