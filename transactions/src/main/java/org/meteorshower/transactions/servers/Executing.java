/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.chains.QueuedRows;
import org.meteorshower.transactions.chains.Results;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Forward;

/** Takes chains forward to their turn and back, as far as they visit one range. */
final class Executing {
    /** What rows hold is taken once more when they are written, and once more when it is handed on. */
    private static final int TIMES_HANDED_ON = 2;

    private final int range;
    private final Division division;
    private final Tables tables;
    private final QueuedRows rows;
    private final Inbox inbox;
    private final Handing handing;
    private final UnderWay underWay;
    private final ArrayDeque<Part> ready = new ArrayDeque<>();
    private long evaluations;

    Executing(int range, Division division, Tables tables, Inbox inbox, Handing handing, UnderWay underWay) {
        this.range = range;
        this.division = division;
        this.tables = tables;
        this.rows = tables.rows();
        this.inbox = inbox;
        this.handing = handing;
        this.underWay = underWay;
    }

    /** So many transactions had their turn here. */
    long evaluations() {
        return evaluations;
    }

    void wake(long version) {
        Part part = underWay.part(version);
        if (part != null) {
            part.wake();
        }
    }

    void beginAnew() {
        ready.clear();
    }

    /** As far as all get whose slices have begun. */
    void run() {
        for (Part part = ready.poll(); part != null; part = ready.poll()) {
            advance(part);
        }
    }

    void begin(Slice slice) {
        int weight = Slice.WEIGHT;
        List<Part> parts = new ArrayList<>();
        for (Slice.Piece piece : slice.pieces()) {
            long version = Version.of(slice.count(), piece.index());
            Visit visit = Visit.of(piece.body(), slice.place(piece), version, division);
            if (visit.isIn(range)) {
                parts.add(new Part(version, visit, range, ready));
                weight += Slice.PER_PIECE + visit.weight();
            }
        }
        underWay.began(slice, weight);
        if (parts.isEmpty()) {
            underWay.letGo();
        }
        for (Part part : parts) {
            underWay.add(part);
            part.expect(rows.enqueue(part, part.rows, part.visit.rows().size() > 1 ? TIMES_HANDED_ON : 1));
            ready.add(part);
        }
    }

    /** As far as it gets. It may have been woken twice. */
    private void advance(Part part) {
        if (underWay.part(part.version) == null || (!part.hasGoneForward() && !rows.heads(part, part.rows))) {
            return; // It is woken when its turn comes.
        } else if (part.visit.turn() == range) {
            turn(part);
            return;
        }
        if (!part.hasGoneForward()) {
            forward(part);
        }
        if (part.visit.mayWriteIn(range)) {
            backward(part);
        } else {
            ended(part);
        }
    }

    private void forward(Part part) {
        handing.hand(new Forward(part.version, range, part.visit.turn(), rows.held(part.rows)));
        part.goneForward();
        for (RowKey key : part.rows) {
            if (isPassedOn(part, key)) {
                rows.leave(part, key);
            }
        }
    }

    /** Whether those behind may have the row before it is known what becomes of it. */
    private static boolean isPassedOn(Part part, RowKey key) {
        return !part.visit.mayWrite().contains(key);
    }

    /** The ranges whose word it waits for. */
    List<Integer> awaited(Part part) {
        if (part.hasGoneForward()) {
            return List.of(part.visit.turn());
        } else if (part.visit.turn() != range) {
            return List.of();
        }
        return part.visit.rows().keySet().stream()
                .filter(other -> other != range && !inbox.hasForward(part.version, other))
                .toList();
    }

    private void turn(Part part) {
        if (!awaited(part).isEmpty()) {
            return;
        }
        Holdings all = new Holdings();
        rows.held(part.rows).forEach(all::hold);
        inbox.held(part.version).forEach(all::hold);
        Evaluation evaluation = part.visit.requests().evaluate(all, null);
        evaluations++;
        write(part, evaluation.writes());
        for (int other : part.visit.rows().keySet()) {
            if (other != range && part.visit.mayWriteIn(other)) {
                handing.hand(new Backward(part.version, range, other, writesIn(other, evaluation)));
            }
        }
        long digest = Results.mix(part.version, evaluation);
        handing.hand(new ChainMessage.Ended(part.version, range, evaluation.outcome(), digest));
    }

    private Map<RowKey, Row> writesIn(int other, Evaluation evaluation) {
        Map<RowKey, Row> writes = new TreeMap<>();
        evaluation.writes().forEach((key, row) -> {
            if (division.rangeOf(key) == other) {
                writes.put(key, row);
            }
        });
        return writes;
    }

    private void backward(Part part) {
        Backward told = inbox.backward(part.version);
        if (told != null) {
            write(part, told.writes());
        }
    }

    /** What is written here, and passes the rows on. */
    private void write(Part part, Map<RowKey, Row> writes) {
        for (RowKey key : part.rows) {
            Row written = writes.get(key);
            if (written != null) {
                rows.write(part.version, key, written, underWay.executed(), tables.dueCut());
            }
            rows.leave(part, key);
        }
        ended(part);
        inbox.ended(part.version);
    }

    private void ended(Part part) {
        rows.met(part.expected());
        underWay.ended(part);
    }
}
