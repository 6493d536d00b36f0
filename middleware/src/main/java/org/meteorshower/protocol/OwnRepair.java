/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Patience;
import org.meteorshower.protocol.SharedRepairs.Question;
import org.meteorshower.protocol.SharedRepairs.Word;

/** A node's repair of the ranges that it owns, and whom that counts for. */
final class OwnRepair {
    private enum State {
        WAITING,
        UNDER_WAY,
        DONE
    }

    /** @param included whether the repair, from its first piece on, began after the question came */
    private record Asked(long attempt, boolean included) {
        /** Whether that was asked, and not what an earlier life or attempt of the same node did. */
        boolean is(Question question) {
            return attempt == question.attempt();
        }
    }

    private final @Nullable Long ranges;
    private final Set<NodeId> sharers;
    private final long gatheredAtMillis;

    /** The last question of each of {@link #sharers}, of those that were not refused. */
    private final Map<NodeId, Asked> asked = new HashMap<>();

    private State state;
    private boolean hasBegun;
    private int done;
    private int all;

    OwnRepair(@Nullable Long ranges, Collection<NodeId> sharers, Patience patience, long nowMillis) {
        this.ranges = ranges;
        this.sharers = new HashSet<>(sharers);
        this.gatheredAtMillis = nowMillis + patience.gather();
        this.state = ranges == null ? State.DONE : State.WAITING;
    }

    Answer asked(NodeId from, Question question) {
        if (ranges == null || ranges != question.ranges() || !sharers.contains(from)) {
            return Answer.NO;
        }
        if (state == State.WAITING && !isKnown(from, question)) {
            asked.put(from, new Asked(question.attempt(), false));
        }
        if (state != State.WAITING && !isIncluded(from, question)) {
            return Answer.NO;
        }
        return new Answer(state == State.DONE ? Word.DONE : Word.NOT_YET, done, all);
    }

    private boolean isKnown(NodeId from, Question question) {
        Asked before = asked.get(from);
        return before != null && before.is(question);
    }

    private boolean isIncluded(NodeId from, Question question) {
        Asked before = asked.get(from);
        return before != null && before.included() && before.is(question);
    }

    /** Those that are down do not ask: they are not waited for. */
    boolean isDue(Predicate<NodeId> isAlive, long nowMillis) {
        return nowMillis >= gatheredAtMillis
                || sharers.stream().allMatch(node -> asked.containsKey(node) || !isAlive.test(node));
    }

    boolean begin() {
        boolean anew = !hasBegun || !asked.values().stream().allMatch(Asked::included);
        hasBegun = true;
        state = State.UNDER_WAY;
        asked.replaceAll((node, question) -> new Asked(question.attempt(), true));
        return anew;
    }

    void isAt(int piecesDone, int piecesInAll) {
        done = piecesDone;
        all = piecesInAll;
    }

    void ended(boolean succeeded) {
        state = succeeded ? State.DONE : State.WAITING;
        done = succeeded ? all : done;
    }

    boolean isUnderWay() {
        return state == State.UNDER_WAY;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    int done() {
        return done;
    }

    int all() {
        return all;
    }
}
