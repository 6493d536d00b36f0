/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.meteorshower.runtime.RequestRefusedException;

/** Opens scans: reads of a range of partitions, all at one cut. Thread-safe. */
@FunctionalInterface
public interface ScanFetch {
    /**
     * Blocks until there is a cut, at most until the deadline of the terms. The scan is to be closed.
     *
     * @param first the command, or its first page: no later one goes beyond its range
     */
    OpenScan open(PartitionRangeReadCommand first, ReadTerms terms)
            throws RequestRefusedException, InterruptedException;
}
