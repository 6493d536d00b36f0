/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

/**
 * Clients of transactions, and what they do. Immutable.
 *
 * @param seed decides what each asks for
 * @param clients how many, over all data centres
 * @param rows that they work on
 * @param rate transactions a second at most, in all
 */
public record TransactionClients(long seed, int clients, int rows, double rate) {}
