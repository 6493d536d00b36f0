/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Collection;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.Row;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * What a scan has read so far, here and elsewhere, as it counts in the budget of reads that are under way. Thread-safe:
 * answers of other nodes may come after the scan is over.
 */
public final class GatheredRows {
    private final ByteAccount reads;
    private long heldBytes;
    private boolean isOver;

    public GatheredRows(ByteAccount reads) {
        this.reads = reads;
    }

    /** As LIMIT counts them: a partition that has static columns alone is a row. */
    public static int rowsOf(ImmutableBTreePartition partition) {
        return Math.max(1, partition.rowCount());
    }

    /** The same of several. */
    public static int rowsOf(Collection<? extends ImmutableBTreePartition> partitions) {
        return partitions.stream().mapToInt(GatheredRows::rowsOf).sum();
    }

    /** @throws RequestRefusedException if there is no room for it */
    public synchronized void take(ImmutableBTreePartition partition) throws RequestRefusedException {
        if (isOver) {
            throw new RequestRefusedException(Failure.CUT_GONE, "the scan is over");
        }
        long bytes = partition.staticRow().dataSize();
        for (Row row : partition) {
            bytes += row.dataSize();
        }
        if (!reads.take(bytes)) {
            throw new RequestRefusedException(
                    Failure.OVERLOADED,
                    "what scans and reads have gathered here takes " + reads.used() + " bytes, and " + reads.limit()
                            + " are the most (memory.waiting_reads): ask for smaller pages.");
        }
        heldBytes += bytes;
    }

    /** Nothing of it is held any more. */
    public synchronized void giveBack() {
        reads.giveBack(heldBytes);
        heldBytes = 0;
    }

    /** Nothing is held, and nothing is taken any more. */
    synchronized void end() {
        giveBack();
        isOver = true;
    }
}
