/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;

/**
 * One submission on its way along its rows. Forward, it takes along what each row holds and stops where an assert
 * fails; at the turn it is known what happens; backward, the rows are written and handed to the next chain in their
 * queues.
 */
final class Chain implements Gatherer {
    final Submission submission;
    final int index;
    final long version;

    /** What its rows were about to take as it began. */
    private Expected expected = Expected.NOTHING;

    private final Frontier.Run run;
    private final Queue<Chain> ready;
    private boolean done;
    private final Requests requests;
    private final Touched touched;
    private final List<Expression> asserts;
    private final AtTurn atTurn;

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
        this.touched = new Touched(List.copyOf(requests.rows()), requests.claims());
        this.asserts = new ArrayList<>(requests.asserts());
        this.atTurn = new AtTurn(requests);
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
        return touched.rows();
    }

    @Override
    public Touched touches() {
        return touched;
    }

    @Override
    public Holdings.@Nullable Missing missing() {
        return atTurn.missing();
    }

    @Override
    public void hold(RowKey key, Row row) {
        atTurn.hold(key, row);
    }

    @Override
    public void gathered(long bytes) {
        atTurn.gathered(bytes);
    }

    /** The row that is visited next; null at the turn. */
    @Nullable
    RowKey nextRow() {
        return atTurn.size() < rows().size() ? rows().get(atTurn.size()) : null;
    }

    /** Takes along what the next row holds. Returns whether to go on. */
    boolean visit(Row row) {
        atTurn.hold(rows().get(atTurn.size()), row);
        if (!asserts.isEmpty() && requests.failsAlready(asserts, atTurn.rows())) {
            atTurn.stop(Program.assertFailed());
        }
        return !atTurn.isStopped();
    }

    boolean isDone() {
        return done;
    }

    void done(Evaluation evaluation) {
        done = true;
        atTurn.clear();
        run.done(index, evaluation);
    }

    Merged merged() {
        return run.merged();
    }

    /** Runs it on what it holds. What comes of it counts where then nothing is {@linkplain #missing}. */
    Evaluation evaluate() {
        return atTurn.evaluate();
    }
}
