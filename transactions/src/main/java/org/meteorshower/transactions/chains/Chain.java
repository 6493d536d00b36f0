/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;

/**
 * One submission on its way along its rows. Forward, it takes along what each row holds and stops where an assert
 * fails; at the turn it is known what happens; backward, the rows are written and handed to the next chain in their
 * queues.
 */
final class Chain {
    final Submission submission;
    final int index;
    final long version;
    private final Frontier.Run run;
    private boolean done;
    private final Requests requests;
    private final List<RowKey> rows;
    private final List<Range> ranges;
    private final List<Expression> asserts;
    private final SortedMap<RowKey, Row> held = new TreeMap<>();

    /** What comes of it whatever its other rows hold; null while it depends on them. */
    private @Nullable Evaluation stopped;

    Chain(Submission submission, int index, long version, Frontier.Run run) {
        this.submission = submission;
        this.index = index;
        this.version = version;
        this.run = run;
        this.requests = new Requests(submission.request(), run.merged(), index, version);
        this.rows = List.copyOf(requests.rows());
        this.ranges = List.copyOf(requests.ranges());
        this.asserts = new ArrayList<>(requests.asserts());
    }

    List<RowKey> rows() {
        return rows;
    }

    /** Whether it names the row. */
    boolean visits(RowKey row) {
        return Collections.binarySearch(rows, row) >= 0;
    }

    /** What it reads or writes besides: known where it has their partitions to itself. */
    List<Range> ranges() {
        return ranges;
    }

    /** A row of a range. */
    void hold(RowKey key, Row row) {
        held.put(key, row);
    }

    /** The ranges have more than can be taken. */
    void tooLarge() {
        stopped = Program.tooLarge();
    }

    /** The row that is visited next; null at the turn. */
    @Nullable
    RowKey nextRow() {
        return held.size() < rows.size() ? rows.get(held.size()) : null;
    }

    /** Takes along what the next row holds. Returns whether to go on. */
    boolean visit(Row row) {
        held.put(rows.get(held.size()), row);
        if (requests.failsAlready(asserts, held)) {
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

    Evaluation evaluate() {
        return requests.evaluate(held, stopped);
    }
}
