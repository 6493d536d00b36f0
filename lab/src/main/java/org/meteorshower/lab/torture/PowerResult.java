/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.transactions.TransactionVerdict;

/**
 * What became of a run.
 *
 * @param acknowledged writes of rows of their own
 * @param verdict on what sessions saw of the other rows
 * @param operations of these sessions
 * @param transactions verdict on what clients of transactions saw; null where there is none
 * @param committed transactions
 */
record PowerResult(
        PowerOptions options,
        PowerNotes notes,
        int acknowledged,
        Verdict verdict,
        int operations,
        @Nullable TransactionVerdict transactions,
        long committed,
        double seconds) {

    /** How often all nodes lost their power at once. */
    long ofAll() {
        int nodes = options.cluster().dcs().size() * options.cluster().nodesPerDc();
        return notes.cuts.stream()
                .filter(each -> each.cut().nodes().size() == nodes)
                .count();
    }

    long early() {
        return notes.cuts.stream().filter(each -> each.cut().isEarly()).count();
    }

    /** Pages of files that were written, not forced, and gone. */
    long forgottenPages() {
        return notes.cuts.stream().mapToLong(each -> each.loss().pages()).sum();
    }

    /** Segments of the commit log that Cassandra does not start with. */
    long headless() {
        return notes.cuts.stream().mapToLong(each -> each.help().segments()).sum();
    }

    /** Logs of compactions that Cassandra does not start with. */
    long uncommitted() {
        return notes.cuts.stream().mapToLong(each -> each.help().compactions()).sum();
    }

    boolean isInOrder() {
        return verdict.outcome() == Outcome.CONSISTENT
                && (transactions == null || transactions.findings().isEmpty());
    }

    /**
     * Nothing is lost; where the commit log is forced periodically, nothing that was acknowledged before it was last
     * forced. Disks that lie must be seen to lose something: else nothing is tested here.
     */
    boolean isRight() {
        boolean isWhole = notes.lost.isEmpty() && isInOrder() && notes.wrong.isEmpty();
        if (!options.disks().liars().isEmpty()) {
            return !isWhole;
        } else if (options.sync() == CommitLog.PERIODIC) {
            return notes.oldestLostMillis <= 2 * PowerOptions.PERIOD.toMillis() && notes.wrong.isEmpty();
        }
        return isWhole;
    }
}
