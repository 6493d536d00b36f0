/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

/** Who queues for rows, and for partitions of which it means rows that are known only at its turn. */
public interface Claiming extends Queued {
    /** What it queues for. */
    Touched touches();
}
