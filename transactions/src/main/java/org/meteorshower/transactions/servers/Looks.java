/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.AtTurn;
import org.meteorshower.transactions.chains.QueuedRows;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.servers.ChainMessage.Ask;
import org.meteorshower.transactions.servers.ChainMessage.Told;

/**
 * What transactions look for at their turn: gathers it where it is of this range, asks for it where it is of others,
 * and answers where this range is asked. All that is asked and answered is a function of the order, since the
 * partitions are held meanwhile.
 */
final class Looks {
    private final int range;
    private final Division division;
    private final QueuedRows rows;
    private final Inbox inbox;
    private final Handing handing;
    private final UnderWay underWay;

    Looks(int range, Division division, QueuedRows rows, Inbox inbox, Handing handing, UnderWay underWay) {
        this.range = range;
        this.division = division;
        this.rows = rows;
        this.inbox = inbox;
        this.handing = handing;
        this.underWay = underWay;
    }

    /** It has its turn, with what all rows hold that it names. */
    Look begin(Part part, Map<RowKey, Row> held) {
        AtTurn atTurn = new AtTurn(part.visit.requests());
        held.forEach(atTurn::hold);
        Look look = new Look(atTurn);
        part.look(look);
        return look;
    }

    /** What comes of it; null where something is missing yet. */
    @Nullable
    Evaluation evaluate(Part part, Look look) {
        while (true) {
            if (look.atTurn.missing() != null && !isGathered(part, look)) {
                return null;
            }
            Evaluation evaluation = look.atTurn.evaluate();
            Holdings.Missing missing = look.atTurn.missing();
            if (missing == null) {
                return evaluation;
            }
            lookFor(part, look, missing);
        }
    }

    private void lookFor(Part part, Look look, Holdings.Missing missing) {
        TreeMap<Integer, Holdings.Missing> byRange = new TreeMap<>();
        missing.rows().forEach(row -> of(division.rangeOf(row), byRange).rows().add(row));
        missing.ranges()
                .forEach(span ->
                        of(division.rangeOf(span.partition()), byRange).ranges().add(span));
        part.gather(byRange.remove(range));
        byRange.forEach((other, what) -> handing.hand(new Ask(part.version, look.ask(other), range, other, what)));
    }

    private static Holdings.Missing of(int which, Map<Integer, Holdings.Missing> byRange) {
        return byRange.computeIfAbsent(
                which, added -> new Holdings.Missing(new LinkedHashSet<>(), new LinkedHashSet<>()));
    }

    private boolean isGathered(Part part, Look look) {
        if (!rows.gathered(part, isFirst(part)) || !awaited(part, look).isEmpty()) {
            return false;
        }
        for (int other : look.others()) {
            Told told = inbox.told(part.version, other, look.number(other));
            if (told != null) {
                look.told(told);
            }
        }
        part.found().forEach(look.atTurn::hold);
        look.gathered(part.foundBytes());
        return true;
    }

    /** The ranges whose answers it waits for. */
    List<Integer> awaited(Part part, Look look) {
        return look.others().stream()
                .filter(other -> inbox.told(part.version, other, look.number(other)) == null)
                .toList();
    }

    /** The first one that has not ended here: if it is so everywhere, all others wait for it. */
    private boolean isFirst(Part part) {
        return part.equals(underWay.first());
    }

    /** Answers what the turn's range asks, one after the other. Returns whether so many are answered. */
    boolean hasAnswered(Part part, int questions) {
        for (Ask ask = asked(part); ask != null; ask = asked(part)) {
            if (!part.isAnswering()) {
                part.answer(ask.what());
            }
            if (!rows.gathered(part, isFirst(part))) {
                return false;
            }
            boolean isTooLarge = part.foundBytes() > AtTurn.MOST_BYTES;
            Map<RowKey, Row> found = isTooLarge ? Map.of() : new TreeMap<>(part.found());
            handing.hand(new Told(part.version, ask.number(), range, ask.from(), found, part.foundBytes()));
            part.answeredOne();
        }
        return part.answered() >= questions;
    }

    /** What is to be answered next; null where nothing is asked. */
    @Nullable
    Ask asked(Part part) {
        return inbox.ask(part.version, part.answered());
    }
}
