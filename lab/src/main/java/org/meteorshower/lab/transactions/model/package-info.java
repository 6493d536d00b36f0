/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Two-phase locking and optimistic validation with Paxos commit, as models in memory: rows, locks and acceptors of each
 * data centre in this process, the emulated network between them. Nothing is stored, encoded or computed for long, and
 * nothing fails, so what is measured is what the distances and the waiting for one another cost, and no real system
 * would be faster.
 */
@NullMarked
package org.meteorshower.lab.transactions.model;

import org.jspecify.annotations.NullMarked;
