/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.tracing.Tracing;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionRunner.Kind;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.port.Answer;

/** Waits until the tables here hold all that was acknowledged anywhere before. Thread-safe; blocks. */
final class TableHolds {
    /** Its place in the order is all that is asked for. */
    private static final Transaction NOTHING = new Transaction(List.of(), List.of());

    /** A kind of what is counted. */
    private static final String SCAN = "scan";

    private final TransactionGroups groups;
    private final TransactionMetrics measured;

    TableHolds(TransactionGroups groups, TransactionMetrics measured) {
        this.groups = groups;
        this.measured = measured;
    }

    /**
     * @param group of lanes, to which the tables belong
     * @param deadlineNanos on {@link System#nanoTime}'s scale
     * @param level that was asked for, to be told where it cannot be had
     * @return the token up to which they hold all, at least
     */
    long await(int group, long deadlineNanos, ConsistencyLevel level) {
        if (!groups.isHere(group)) {
            LaneGroup of = groups.numbered(group);
            throw Errors.invalid("tables of the transactions of " + (of == null ? "others" : of.text())
                    + " are not in this data centre: to scan or truncate them, ask a node where they are");
        }
        TransactionRunner runner = groups.runner(group);
        long startedNanos = System.nanoTime();
        Answer answer = Transactions.await(
                runner.run(NOTHING, new TransactionRunner.Terms(Kind.STRICT, 0, deadlineNanos, null, 0)),
                deadlineNanos);
        long token = 0;
        if (answer instanceof Answer.Done placed) {
            token = placed.token();
            answer = Transactions.await(runner.awaitTables(token, deadlineNanos), deadlineNanos);
        }
        measured.answered(SCAN, answer, System.nanoTime() - startedNanos);
        if (!(answer instanceof Answer.Snapshot)) {
            throw Outcomes.notDone(answer, Kind.STRICT, level);
        }
        Tracing.trace("MeteorShower: the tables here hold all up to token {}", token);
        return token;
    }
}
