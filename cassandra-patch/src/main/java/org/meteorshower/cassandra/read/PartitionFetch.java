/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.meteorshower.runtime.RequestRefusedException;

/** Reads one partition at a cut, somewhere. Thread-safe; blocks at most until the deadline. */
@FunctionalInterface
public interface PartitionFetch {
    FetchedPartition fetch(SinglePartitionReadCommand command, ReadTerms terms)
            throws RequestRefusedException, InterruptedException;
}
