/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * Executes merged entries. Every chain is put into the queues of all its rows at once, in merged order; then it visits
 * them in the order of their names. A chain that waits for a row, because it is being read or another chain has it,
 * holds up only chains that come later in the queues of its rows.
 */
public final class ChainServer {
    /** Hears of each submission once it is executed. */
    public interface Listener {
        void executed(Merged merged, int index, Submission submission, Outcome outcome);
    }

    private final RowMemory memory;
    private final ChangeStream changes;
    private final PartitionQueues partitions = new PartitionQueues();
    private final TurnReads turnReads;
    private final Frontier frontier;
    private final Listener listener;
    private final ArrayDeque<Chain> ready = new ArrayDeque<>();
    private long keepFrom;

    /**
     * @param changes told of each entry once it is executed, in the merged order
     * @param observer the same
     */
    public ChainServer(
            Turn turn,
            RowMemory memory,
            Checkpoint start,
            Listener listener,
            ChangeStream changes,
            @Nullable Observer observer) {
        this.memory = memory;
        this.changes = changes;
        this.turnReads = new TurnReads(turn::emit, memory);
        this.frontier = new Frontier(start, changes, observer);
        this.keepFrom = start.count();
        this.listener = listener;
    }

    /** So many merged entries, and all before them, are executed. */
    public long count() {
        return frontier.count();
    }

    /** Where execution stands, without a gap. */
    public Checkpoint checkpoint() {
        return frontier.checkpoint();
    }

    /** Of everything that was executed, without a gap. */
    public long digest() {
        return frontier.digest();
    }

    /** About how many bytes of heap the entries take that are merged and not executed yet. */
    public long underWayBytes() {
        return frontier.underWayBytes();
    }

    /** Whether no more may be executed until some rows, or changes, are on the disk. */
    public boolean isFull() {
        long newBytes = frontier.underWayBytes();
        return memory.isBooked(newBytes) || changes.isFull(memory.expectedBytes() + newBytes);
    }

    /** Begins to read the rows of a request that is on its way. */
    public void prefetch(Request request) {
        memory.prefetch(Requests.knownRows(request));
    }

    /** The rows of the first transaction in merged order that is not executed; none where all are. */
    public List<RowKey> firstRows() {
        Chain first = frontier.first();
        if (first == null) {
            return List.of();
        }
        List<RowKey> rows = new ArrayList<>(first.rows());
        rows.addAll(turnReads.rows(first));
        return rows;
    }

    /** The next entry of the merged order. */
    public void execute(Merged merged) {
        Frontier.Run run = frontier.begin(merged);
        List<Submission> submissions = merged.entry().submissions();
        for (int index = 0; index < submissions.size(); index++) {
            Chain chain = new Chain(submissions.get(index), index, Version.of(merged.number(), index), run, ready);
            partitions.enqueue(chain, frontier::underWay);
            run.add(chain);
            chain.rows().forEach(row -> memory.state(row).enqueue(chain));
            chain.expect(memory.expected(chain.rows()));
            memory.expect(chain.expected());
            ready.add(chain);
        }
        run();
    }

    public void loaded(int edition, Map<RowKey, StoredRow> rows) {
        for (RowState state : memory.loaded(edition, rows)) {
            Queued.wakeAny(state.head());
        }
        turnReads.waiting().forEach(Queued::wake);
        run();
    }

    /** Keys of rows that may be in a range. */
    public void keysRead(long request, List<RowKey> keys, boolean more) {
        Queued.wakeAny(turnReads.keysRead(request, keys, more));
        run();
    }

    /** The next entry in merged order that is executed; empty where there is none. */
    public Optional<Merged> advance() {
        return frontier.advance();
    }

    /** Nobody will read as of an earlier count. */
    public void keepFrom(long count) {
        keepFrom = count;
    }

    public void jump(Checkpoint to) {
        ready.clear();
        partitions.clear();
        turnReads.jump();
        frontier.jump(to);
        keepFrom = to.count();
    }

    private void run() {
        for (Chain chain = ready.poll(); chain != null; chain = ready.poll()) {
            forward(chain);
        }
    }

    /** As far as it gets. It may have been woken twice. */
    private void forward(Chain chain) {
        if (chain.isDone() || !partitions.admits(chain)) {
            return; // It is woken when its turn comes, here as below.
        }
        for (RowKey row = chain.nextRow(); row != null; row = chain.nextRow()) {
            RowState state = memory.state(row);
            if (state.head() != chain || !state.isLoaded()) {
                return;
            } else if (!chain.visit(state.newest().row())) {
                break;
            }
        }
        Evaluation evaluation;
        do {
            if (!turnReads.gathered(chain, false)) {
                return;
            }
            evaluation = chain.evaluate();
        } while (chain.missing() != null);
        backward(chain, evaluation);
        chain.done(evaluation);
        memory.met(chain.expected());
        Queued.wakeAny(turnReads.end(chain));
        partitions.leave(chain);
        listener.executed(chain.merged(), chain.index, chain.submission, evaluation.outcome());
    }

    private void backward(Chain chain, Evaluation evaluation) {
        if (!chain.touches().claims().isEmpty()) {
            evaluation.writes().forEach((row, written) -> {
                if (!chain.touches().names(row)) { // It has the row's partition to itself.
                    write(memory.state(row), chain, written);
                }
            });
        }
        List<RowKey> rows = chain.rows();
        for (int i = rows.size() - 1; i >= 0; i--) {
            RowState state = memory.state(rows.get(i));
            Row written = evaluation.writes().get(rows.get(i));
            if (written != null) {
                write(state, chain, written);
            }
            Queued.wakeAny(state.leave(chain));
        }
    }

    private void write(RowState state, Chain chain, Row row) {
        memory.write(state, chain.version, row, keepFrom, keepFrom);
        turnReads.written(state.key, row);
    }
}
