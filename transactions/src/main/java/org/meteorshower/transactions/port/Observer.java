/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.log.Entry;

/**
 * Hears, within the step, what a core does beside what it wants done. For audits: a core goes on the same without one.
 */
public interface Observer {
    /**
     * The entry, and all before it in the merged order, have been executed here.
     *
     * @param number its place in the merged order, from 0
     * @param outcomes of its submissions
     * @param digest of everything up to and including it
     */
    record Executed(long number, int lane, long position, Entry entry, List<Outcome> outcomes, long digest) {
        public Executed {
            outcomes = List.copyOf(outcomes);
        }
    }

    void executed(Executed executed);

    /** A snapshot was installed: this data centre goes on from there. */
    void jumped(Checkpoint to);
}
