/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.meteorshower.runtime.RequestRefusedException;

/** Opens scans: reads of a range of partitions, all at one cut. Thread-safe. */
@FunctionalInterface
public interface ScanFetch {
    /**
     * Blocks until there is a cut, at most until the deadline of the terms. The scan is to be closed. Where it is
     * refused with {@link org.meteorshower.protocol.Effect.Failure#CUT_GONE} it may be begun anew, with other nodes.
     *
     * @param first the command, or its first page: no later one goes beyond its range
     * @param afterMicros the cut of the page before, by the client's word, which is believed as far as this node's
     *     clock has come; 0 for none
     */
    OpenScan open(PartitionRangeReadCommand first, ReadTerms terms, long afterMicros)
            throws RequestRefusedException, InterruptedException;
}
