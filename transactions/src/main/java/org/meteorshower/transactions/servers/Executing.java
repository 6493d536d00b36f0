/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.meteorshower.transactions.chains.QueuedRows;
import org.meteorshower.transactions.chains.Results;
import org.meteorshower.transactions.language.Evaluation;
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
    private final Looks looks;
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
        this.looks = new Looks(range, division, rows, inbox, handing, underWay);
    }

    /** So many transactions had their turn here. */
    long evaluations() {
        return evaluations;
    }

    /** Those that it needs here: named ones, and those that it gathers. */
    List<RowKey> rows(Part part) {
        List<RowKey> its = new ArrayList<>(part.touches().rows());
        its.addAll(rows.gathering(part));
        return its;
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
        do {
            for (Part part = ready.poll(); part != null; part = ready.poll()) {
                advance(part);
            }
        } while (wakesFirst());
    }

    /** Who waits until others have gathered, and is the first now, waits no more. */
    private boolean wakesFirst() {
        Part first = underWay.first();
        boolean isToBeWoken = first != null && rows.waitsToGather(first);
        if (first != null && isToBeWoken) {
            first.wake();
        }
        return isToBeWoken;
    }

    /** Of what was told for this one there is nothing left. It gets on when it is told again. */
    void dropped(long version) {
        Part part = underWay.part(version);
        if (part != null) {
            part.lose();
            rows.letGo(part);
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
            part.expect(rows.enqueue(part, part.visit.rows().size() > 1 ? TIMES_HANDED_ON : 1, underWay::all));
            underWay.add(part);
            ready.add(part);
        }
    }

    /** As far as it gets. It may have been woken twice. */
    private void advance(Part part) {
        if (underWay.part(part.version) == null || (!part.hasGoneForward() && !rows.heads(part))) {
            return; // It is woken when its turn comes.
        } else if (part.visit.turn() == range) {
            turn(part);
            return;
        }
        if (!part.hasGoneForward()) {
            forward(part);
        }
        if (part.visit.isToldBack(range)) {
            backward(part);
        } else {
            ended(part);
        }
    }

    private void forward(Part part) {
        List<RowKey> its = part.touches().rows();
        if (!its.isEmpty()) {
            handing.hand(new Forward(part.version, range, part.visit.turn(), rows.held(its)));
        }
        part.goneForward();
        for (RowKey key : its) {
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
        int turn = part.visit.turn();
        Look look = part.look();
        if (turn == range) {
            return look == null ? forwards(part) : looks.awaited(part, look);
        }
        return part.hasGoneForward() && looks.asked(part) == null ? List.of(turn) : List.of();
    }

    /** The ranges that have not told yet what the rows hold that it names there. */
    private List<Integer> forwards(Part part) {
        return part.visit.rows().keySet().stream()
                .filter(other -> other != range && !inbox.hasForward(part.version, other))
                .toList();
    }

    private void turn(Part part) {
        Look look = part.look();
        if (look == null) {
            if (!forwards(part).isEmpty()) {
                return;
            }
            Map<RowKey, Row> held = inbox.held(part.version);
            held.putAll(rows.held(part.touches().rows()));
            look = looks.begin(part, held);
        }
        Evaluation evaluation = looks.evaluate(part, look);
        if (evaluation != null) {
            evaluated(part, look, evaluation);
        }
    }

    private void evaluated(Part part, Look look, Evaluation evaluation) {
        evaluations++;
        Set<Integer> others = part.visit.others();
        write(part, others.isEmpty() ? evaluation.writes() : writesIn(range, evaluation));
        for (int other : others) {
            if (part.visit.isToldBack(other)) {
                handing.hand(new Backward(part.version, range, other, look.asked(other), writesIn(other, evaluation)));
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
        if (looks.hasAnswered(part, told == null ? 0 : told.asked()) && told != null) {
            write(part, told.writes());
        }
    }

    /** What is written here, and passes the rows on. */
    private void write(Part part, Map<RowKey, Row> writes) {
        for (Map.Entry<RowKey, Row> each : writes.entrySet()) {
            if (!part.touches().names(each.getKey())) { // it has the row's partition to itself
                write(part, each.getKey(), each.getValue());
            }
        }
        for (RowKey key : part.touches().rows()) {
            Row written = writes.get(key);
            if (written != null) {
                write(part, key, written);
            }
            rows.leave(part, key);
        }
        ended(part);
        inbox.ended(part.version);
    }

    private void write(Part part, RowKey key, Row row) {
        rows.write(part.version, key, row, underWay.executed(), tables.dueCut());
    }

    private void ended(Part part) {
        rows.met(part.expected());
        rows.end(part);
        underWay.ended(part);
    }
}
