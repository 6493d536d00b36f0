/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.List;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.runtime.RequestRefusedException;

/** A scan that has its cut. Used by one thread. */
public interface OpenScan extends AutoCloseable {
    /** Its cut, and how it came by it. */
    ReadInfo info();

    /**
     * The live rows that the command selects, as of the cut, in the order of the partitions: as many as its limits ask
     * for, or more. Blocks until they are read, at most until the scan's deadline.
     *
     * @throws RequestRefusedException with {@link org.meteorshower.protocol.Effect.Failure#CUT_GONE} where all that was
     *     read of the scan is to be dropped, and it is to begin anew
     */
    List<ImmutableBTreePartition> rowsFor(PartitionRangeReadCommand page)
            throws RequestRefusedException, InterruptedException;

    /** Whether another node reads any of it. */
    default boolean elsewhere() {
        return false;
    }

    /** The cut is not kept any longer. */
    @Override
    void close();
}
