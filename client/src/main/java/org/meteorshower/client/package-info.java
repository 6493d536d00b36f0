/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Java client of MeteorShower: a thin session over Apache's Java driver that carries the session token.
 *
 * <p>Start at {@link org.meteorshower.client.MeteorShowerSession}; for transactions at
 * {@link org.meteorshower.client.MeteorShowerTransactions}. The wire contract is in
 * {@link org.meteorshower.client.PayloadKeys}.
 */
@NullMarked
package org.meteorshower.client;

import org.jspecify.annotations.NullMarked;
