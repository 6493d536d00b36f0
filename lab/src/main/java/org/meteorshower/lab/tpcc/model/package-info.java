/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TPC-C on two-phase locking and on optimistic validation with Paxos commit: models in memory, as those of the other
 * transactions, on the same emulated network. Each row has a home in one data centre.
 */
@NullMarked
package org.meteorshower.lab.tpcc.model;

import org.jspecify.annotations.NullMarked;
