/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.background.PiecesSeen;
import org.meteorshower.cassandra.background.Progress;
import org.meteorshower.cassandra.placement.PlacedTable;
import org.meteorshower.cassandra.placement.PrimaryRanges;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SharedRepairs;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Question;

/**
 * One attempt of this node to have all repaired that it holds of a table, together with the table's other replicas.
 * Lives until the table is followed under another name: others may ask long after this node is done. Thread-safe.
 */
final class SharedTable {
    private static final SharedRepairs.Patience PATIENCE = new SharedRepairs.Patience(
            TimeUnit.SECONDS.toMillis(5), TimeUnit.MINUTES.toMillis(1), TimeUnit.MINUTES.toMillis(10));

    private static final long ASK_EVERY_MILLIS = 1_000;
    private static final long JUST_OVER_MILLIS = 3_000;

    /** What of it is being repaired here. */
    private enum Work {
        NONE,
        OWN,
        OTHERS
    }

    private final PlacedTable place;
    private final NodeId self;
    private final PrimaryRanges ranges;
    private final SharedRepairs repairs;
    private final long begunMillis = nowMillis();
    private final PiecesSeen seen = new PiecesSeen();

    /** Those whose answer is under way; one question to each at a time. */
    private final Set<NodeId> beingAsked = new HashSet<>();

    private long askedMillis = begunMillis - ASK_EVERY_MILLIS;
    private Work work = Work.NONE;
    private int piecesInOthersPlace;
    private boolean over;
    private long overMillis;

    SharedTable(PlacedTable place, NodeId self, PrimaryRanges ranges) {
        this.place = place;
        this.self = self;
        this.ranges = ranges;
        Set<NodeId> owners = new HashSet<>(ranges.held().keySet());
        Long own = owners.remove(self) ? ranges.digestOf(self) : null;
        long attempt = ThreadLocalRandom.current().nextLong();
        repairs = new SharedRepairs(attempt, own, ranges.sharers(), owners, PATIENCE, begunMillis);
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    PlacedTable place() {
        return place;
    }

    synchronized SharedRepairs.Step next(Predicate<NodeId> isAlive) {
        return repairs.next(isAlive, nowMillis());
    }

    synchronized Answer asked(NodeId from, Question question) {
        return repairs.asked(from, question);
    }

    /** Asks the owners that are awaited, about once a second; the answers come later. */
    void ask(RepairsElsewhere elsewhere) {
        for (NodeId owner : dueToBeAsked()) {
            Question question = new Question(repairs.attempt(), ranges.digestOf(owner));
            CompletableFuture<Answer> unused = elsewhere
                    .ask(owner, place.id(), question)
                    .whenComplete((answer, failure) -> heard(owner, failure == null ? answer : null));
        }
    }

    private synchronized Collection<NodeId> dueToBeAsked() {
        if (nowMillis() - askedMillis < ASK_EVERY_MILLIS) {
            return List.of();
        }
        askedMillis = nowMillis();
        Set<NodeId> due = new HashSet<>(repairs.toAsk());
        due.removeAll(beingAsked);
        beingAsked.addAll(due);
        return due;
    }

    private synchronized void heard(NodeId owner, @Nullable Answer answer) {
        beingAsked.remove(owner);
        if (answer == null) {
            repairs.unanswered(owner, nowMillis());
        } else {
            repairs.answered(owner, answer, nowMillis());
        }
    }

    List<Range<Token>> own() {
        return ranges.of(Set.of(self));
    }

    /** @return whether it must begin anew */
    synchronized boolean ownBegins() {
        work = Work.OWN;
        return repairs.ownBegins();
    }

    synchronized void ownEnded(boolean succeeded) {
        work = Work.NONE;
        repairs.ownEnded(succeeded);
    }

    /** The ranges that are to be repaired here in their owners' place. */
    synchronized List<Range<Token>> othersBegin() {
        work = Work.OTHERS;
        return ranges.of(repairs.othersBegin());
    }

    synchronized void othersEnded(boolean succeeded) {
        work = Work.NONE;
        piecesInOthersPlace = 0;
        repairs.othersEnded(succeeded);
    }

    /** How far what this node does of it is; null where that is not known. */
    synchronized void isAt(@Nullable Progress progress) {
        if (progress != null && work == Work.OWN) {
            repairs.ownIsAt(progress.done(), progress.all());
        } else if (progress != null && work == Work.OTHERS) {
            piecesInOthersPlace = progress.done();
        }
        int done = done();
        if (done == 0 && work == Work.NONE) {
            seen.clear();
        } else {
            seen.at(done, nowMillis());
        }
    }

    private int done() {
        return Math.min(repairs.all(), repairs.done() + piecesInOthersPlace);
    }

    /** Nothing more is done about it here; others may still ask. */
    synchronized void end() {
        over = true;
        overMillis = nowMillis();
    }

    synchronized boolean isOver() {
        return over;
    }

    synchronized boolean isJustOver() {
        return over && nowMillis() - overMillis < JUST_OVER_MILLIS;
    }

    /** Of all that this node holds, by whomever it is repaired; null while nothing is known, and when it is over. */
    synchronized @Nullable Progress progress() {
        int all = repairs.all();
        if (over || all == 0) {
            return null;
        }
        return new Progress(done(), all, seen.secondsEach(nowMillis()));
    }

    /** For people. */
    @Override
    public String toString() {
        TableMetadata table = Schema.instance.getTableMetadata(place.table());
        return table == null ? place.table().toString() : table.toString();
    }
}
