/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;

/**
 * One submission on its way along its rows. Forward, it takes along what each row holds and stops where an assert
 * fails; at the turn it is known what happens; backward, the rows are written and handed to the next chain in their
 * queues.
 */
final class Chain implements Queued {
    final Submission submission;
    final int index;
    final long version;

    /** What its rows were about to take as it began. */
    private Expected expected = Expected.NOTHING;

    private final Frontier.Run run;
    private final Queue<Chain> ready;
    private boolean done;
    private final Requests requests;
    private final List<RowKey> rows;
    private final List<Claim> claims;
    private final List<Expression> asserts;
    private final Holdings held = new Holdings();

    /** See {@link #partitions}; null until somebody asks. */
    private @Nullable Set<Partition> partitions;

    /** What it looked for at its turn, and is not held yet; null where nothing is. */
    private Holdings.@Nullable Missing missing;

    /** So often it was run at its turn, and something was missing. */
    private int looks;

    /** What comes of it whatever its other rows hold; null while it depends on them. */
    private @Nullable Evaluation stopped;

    /** @param ready it is added there when it may get on */
    Chain(Submission submission, int index, long version, Frontier.Run run, Queue<Chain> ready) {
        this.submission = submission;
        this.index = index;
        this.version = version;
        this.run = run;
        this.ready = ready;
        this.requests = new Requests(
                submission.request(),
                new SessionId(run.merged().lane(), run.merged().position(), index),
                version);
        this.rows = List.copyOf(requests.rows());
        this.claims = List.copyOf(requests.claims());
        this.asserts = new ArrayList<>(requests.asserts());
    }

    @Override
    public void wake() {
        ready.add(this);
    }

    void expect(Expected rows) {
        expected = rows;
    }

    Expected expected() {
        return expected;
    }

    List<RowKey> rows() {
        return rows;
    }

    /** Whether it names the row. */
    boolean visits(RowKey row) {
        return Collections.binarySearch(rows, row) >= 0;
    }

    /** Of which partitions it means rows besides: which ones they are is known at its turn. */
    List<Claim> claims() {
        return claims;
    }

    /** Those that it claims, and those of the rows that it names. */
    Set<Partition> partitions() {
        Set<Partition> all = partitions;
        if (all == null) {
            all = new LinkedHashSet<>();
            for (Claim claim : claims) {
                all.add(claim.partition());
            }
            for (RowKey row : rows) {
                Partition partition = Partition.of(row);
                if (partition != null) {
                    all.add(partition);
                }
            }
            partitions = all;
        }
        return all;
    }

    /** Whether it has this partition to itself. */
    boolean claims(Partition partition) {
        return claimed(partition) > 0;
    }

    /** So many rows of the partition it may mean besides those that it names. */
    int claimed(Partition partition) {
        int rows = 0;
        for (Claim claim : claims) {
            rows += claim.partition().equals(partition) ? claim.rows() : 0;
        }
        return rows;
    }

    /** What it looked for, and must be gathered before it is run again; null where nothing is missing. */
    Holdings.@Nullable Missing missing() {
        return missing;
    }

    /** A row that it looked for, or of a range of those. */
    void hold(RowKey key, Row row) {
        held.hold(key, row);
    }

    /** It holds what was missing. */
    void gathered(Holdings.Missing found) {
        found.ranges().forEach(held::hold);
        missing = null;
    }

    /** The ranges have more than can be taken. */
    void tooLarge() {
        stopped = Program.tooLarge();
        missing = null;
    }

    /** The row that is visited next; null at the turn. */
    @Nullable
    RowKey nextRow() {
        return held.size() < rows.size() ? rows.get(held.size()) : null;
    }

    /** Takes along what the next row holds. Returns whether to go on. */
    boolean visit(Row row) {
        held.hold(rows.get(held.size()), row);
        if (!asserts.isEmpty() && requests.failsAlready(asserts, held.rows())) {
            stopped = Program.assertFailed();
        }
        return stopped == null;
    }

    boolean isDone() {
        return done;
    }

    boolean isStopped() {
        return stopped != null;
    }

    void done(Evaluation evaluation) {
        done = true;
        held.clear();
        run.done(index, evaluation);
    }

    Merged merged() {
        return run.merged();
    }

    /** Runs it on what it holds. What comes of it counts where then nothing is {@linkplain #missing}. */
    Evaluation evaluate() {
        Evaluation evaluation = requests.evaluate(held, stopped);
        missing = held.takeMissing();
        if (missing == null) {
            return evaluation;
        } else if (looks++ == Transaction.MOST_LOOKS) {
            stopped = Program.tooDeep();
            missing = null;
            return requests.evaluate(held, stopped);
        }
        return evaluation;
    }
}
