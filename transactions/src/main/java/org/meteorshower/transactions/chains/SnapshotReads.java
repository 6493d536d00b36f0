/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/**
 * Read-only transactions that are answered here, without a place in the order: each reads its rows as of one count of
 * executed entries, which is no smaller than its token.
 */
public final class SnapshotReads {
    private static final int MOST_WAITING = 10_000;
    private static final long NOT_BEGUN = -1;
    private static final int WEIGHT = 96;

    private static final class Waiting {
        private final long client;
        private final Transaction transaction;
        private final long token;
        private final long deadlineNanos;
        private final int weight;
        private long asOf = NOT_BEGUN;

        Waiting(long client, Transaction transaction, long token, long deadlineNanos) {
            this.client = client;
            this.transaction = transaction;
            this.token = token;
            this.deadlineNanos = deadlineNanos;
            this.weight = WEIGHT + Weight.of(transaction);
        }
    }

    private final Turn turn;
    private final RowMemory memory;
    private final long mostBytes;
    private final List<Waiting> waiting = new ArrayList<>();

    /** Of those that wait. */
    private long bytes;

    /** @param mostBytes that reads may take that wait */
    public SnapshotReads(Turn turn, RowMemory memory, long mostBytes) {
        this.turn = turn;
        this.memory = memory;
        this.mostBytes = mostBytes;
    }

    public void submit(long client, Transaction transaction, long token, long deadlineNanos) {
        if (waiting.size() >= MOST_WAITING) {
            refuse(client, Answer.Refusal.OVERLOADED, MOST_WAITING + " reads wait already");
        } else if (bytes > mostBytes || memory.isFull()) {
            refuse(
                    client,
                    Answer.Refusal.OVERLOADED,
                    "reads and rows take as much memory as they may: try again in 100 ms");
        } else {
            Waiting read = new Waiting(client, transaction, token, deadlineNanos);
            waiting.add(read);
            bytes += read.weight;
        }
    }

    /**
     * Answers those that can be.
     *
     * @param count of entries executed here
     * @param stalenessMicros for how long nothing was
     */
    public void advance(long count, long stalenessMicros) {
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting read = all.next();
            if (read.asOf == NOT_BEGUN && isReached(read.token, count)) {
                read.asOf = count;
                read.transaction.rows().forEach(row -> memory.state(row).pins++);
            }
            if (read.asOf != NOT_BEGUN && isLoaded(read)) {
                answer(read, stalenessMicros);
                end(read);
                all.remove();
            } else if (turn.nanos() > read.deadlineNanos) {
                end(read);
                all.remove();
                refuse(read.client, Answer.Refusal.BEHIND, "executed here: " + count + ", asked for: " + read.token);
            }
        }
    }

    /** Nothing can be read for now: refuses those that wait in vain. */
    public void refuseLate(long count) {
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting read = all.next();
            if (turn.nanos() > read.deadlineNanos) {
                end(read);
                all.remove();
                refuse(read.client, Answer.Refusal.BEHIND, "executed here: " + count + "; a snapshot is on its way");
            }
        }
    }

    private static boolean isReached(long token, long count) {
        return count >= token;
    }

    private boolean isLoaded(Waiting read) {
        return read.transaction.rows().stream()
                .allMatch(row -> memory.state(row).isLoaded());
    }

    private void answer(Waiting read, long stalenessMicros) {
        TreeMap<RowKey, Row> held = new TreeMap<>();
        for (RowKey row : read.transaction.rows()) {
            held.put(row, memory.state(row).asOf(read.asOf).row());
        }
        Evaluation evaluation = Program.run(read.transaction, held);
        Answer answer = evaluation.outcome() instanceof Outcome.Committed committed
                ? new Answer.Snapshot(committed.values(), read.asOf, stalenessMicros)
                : new Answer.ReadFailed(evaluation.outcome().toString());
        turn.emit(new Effect.Reply(read.client, answer));
    }

    /** It waits no more. */
    private void end(Waiting read) {
        bytes -= read.weight;
        unpin(read);
    }

    private void unpin(Waiting read) {
        if (read.asOf != NOT_BEGUN) {
            read.transaction.rows().forEach(row -> memory.state(row).pins--);
        }
    }

    /** This process stops: those that wait may ask the next one. */
    public void abandon() {
        for (Waiting read : waiting) {
            end(read);
            refuse(read.client, Answer.Refusal.NOT_READY, "this data centre's process hands over to another one");
        }
        waiting.clear();
    }

    /** About how many bytes of heap the waiting reads take, without their rows. */
    public long bytes() {
        return bytes;
    }

    /** The smallest count as of which a read is under way, or this one. */
    public long oldest(long count) {
        long oldest = count;
        for (Waiting read : waiting) {
            if (read.asOf != NOT_BEGUN) {
                oldest = Math.min(oldest, read.asOf);
            }
        }
        return oldest;
    }

    /** Memory is about to be replaced: reads under way begin anew. */
    public void beginAnew() {
        for (Waiting read : waiting) {
            unpin(read);
            read.asOf = NOT_BEGUN;
        }
    }

    private void refuse(long client, Answer.Refusal refusal, String detail) {
        turn.emit(new Effect.Reply(client, new Answer.Refused(refusal, detail)));
    }
}
