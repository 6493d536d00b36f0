/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import java.util.List;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Usage;

/**
 * How a process does, as of a moment ago.
 *
 * @param checkpoint where execution stands
 * @param decided by lane, the first position not known to be decided
 * @param leads by lane, whether it is led here
 * @param waiting clients' requests without an answer
 * @param whole whether votes and tables are there; false after a lost disk, until both are had again
 * @param usage what the core holds
 * @param eventBytes messages and requests that wait for it, as the heap holds them
 * @param persists batches of records written so far
 * @param persistMicros what they took on average, with the reading of the fence; over the last few
 * @param endsBehindMicros for how long values may have been over that are still there
 */
public record Status(
        Checkpoint checkpoint,
        List<Long> decided,
        List<Boolean> leads,
        int waiting,
        boolean whole,
        Usage usage,
        long eventBytes,
        long persists,
        long persistMicros,
        long endsBehindMicros) {
    public Status {
        decided = List.copyOf(decided);
        leads = List.copyOf(leads);
    }
}
