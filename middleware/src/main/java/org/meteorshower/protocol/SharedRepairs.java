/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one node does of the full repair of a table that its replicas share (docs/ARCHITECTURE.md, "When a table that
 * holds data is enabled"): each range is repaired by one of them, its owner, and the others take the owner's word. Who
 * is the owner is the embedder's to say; it must be the same on all nodes, which a digest of what is asked about makes
 * sure of.
 *
 * <p>Of one attempt, of one table under one name, in one life of the node. Pure and deterministic; for one thread at a
 * time. Times are milliseconds of a clock that only goes forward.
 *
 * <p>The rule: a word counts only if the owner's repair began after it had received the question, and the question is
 * of this very attempt. So the repair has seen all that the asker's store held when it was ready to repair by itself.
 */
public final class SharedRepairs {
    /** What is to be done. */
    public enum Step {
        /** Nothing yet. */
        WAIT,
        /** This node's own ranges are to be repaired: {@link #ownBegins}, {@link #ownEnded}. */
        OWN,
        /** Those of owners that nobody waits for are: {@link #othersBegin}, {@link #othersEnded}. */
        OTHERS,
        /** All that this node holds is repaired. */
        DONE
    }

    /** What an owner says of its repair. */
    public enum Word {
        /** It does not count for who asked, who repairs that by itself. */
        NO,
        /** It is under way, or will be, and will count. */
        NOT_YET,
        /** It has succeeded, and counts. */
        DONE
    }

    /**
     * @param attempt of the asker, and of no other life or attempt of it
     * @param ranges a digest of what the asker takes for the owner's
     */
    public record Question(long attempt, long ranges) {}

    /**
     * @param done pieces of the owner's repair
     * @param all of them; 0 while that is not known
     */
    public record Answer(Word word, int done, int all) {
        public static final Answer NO = new Answer(Word.NO, 0, 0);

        /** Of a node that has not begun to look at this repair, and will. */
        public static final Answer LATER = new Answer(Word.NOT_YET, 0, 0);
    }

    /**
     * How long things are waited for, in milliseconds.
     *
     * @param gather for others' questions, before the node's own repair begins
     * @param silent for an owner that cannot be asked
     * @param stuck for an owner's next piece
     */
    public record Patience(long gather, long silent, long stuck) {}

    private final long attempt;
    private final OwnRepair own;
    private final OthersRepairs others;

    /**
     * @param attempt a number that no other life or attempt of this node has
     * @param ownRanges a digest of the ranges that this node owns; null where it owns none
     * @param sharers the other replicas of those
     * @param owners of the other ranges that this node holds
     */
    public SharedRepairs(
            long attempt,
            @Nullable Long ownRanges,
            Collection<NodeId> sharers,
            Collection<NodeId> owners,
            Patience patience,
            long nowMillis) {
        this.attempt = attempt;
        own = new OwnRepair(ownRanges, sharers, patience, nowMillis);
        others = new OthersRepairs(owners, patience, nowMillis);
    }

    /** @param isAlive whether a question of that node can be expected */
    public Step next(Predicate<NodeId> isAlive, long nowMillis) {
        if (own.isUnderWay() || others.isUnderWay()) {
            return Step.WAIT;
        } else if (!own.isDone()) {
            return own.isDue(isAlive, nowMillis) ? Step.OWN : Step.WAIT;
        } else if (others.areSomeOurs()) {
            return Step.OTHERS;
        }
        return others.areDone() ? Step.DONE : Step.WAIT;
    }

    // --- what others ask -------------------------------------------------------------------------------------------

    /** Another node asks. To be told as it comes, since what matters is what had begun by then. */
    public Answer asked(NodeId from, Question question) {
        return own.asked(from, question);
    }

    /**
     * The repair of the node's own ranges begins, and includes all who have asked by now.
     *
     * @return whether it must begin anew: what an earlier one has done, that failed, came before a question
     */
    public boolean ownBegins() {
        return own.begin();
    }

    /** How far it is, in pieces. */
    public void ownIsAt(int done, int all) {
        own.isAt(done, all);
    }

    public void ownEnded(boolean succeeded) {
        own.ended(succeeded);
    }

    // --- what this node asks ---------------------------------------------------------------------------------------

    public long attempt() {
        return attempt;
    }

    /** The owners to be asked, now and then. */
    public Set<NodeId> toAsk() {
        return others.toAsk();
    }

    /** An owner's answer to the question of this attempt. */
    public void answered(NodeId owner, Answer answer, long nowMillis) {
        others.answered(owner, answer, nowMillis);
    }

    /** No answer came. */
    public void unanswered(NodeId owner, long nowMillis) {
        others.unanswered(owner, nowMillis);
    }

    /** The repair of what nobody is waited for begins: of the ranges of these owners. */
    public Set<NodeId> othersBegin() {
        return others.begin();
    }

    public void othersEnded(boolean succeeded) {
        others.ended(succeeded);
    }

    // --- how far it is ---------------------------------------------------------------------------------------------

    /** Pieces that are done, here and by owners. */
    public int done() {
        return own.done() + others.done(own.all());
    }

    /** All pieces, as far as they are known; who has not said counts for as many as this node's own. */
    public int all() {
        return own.all() + others.all(own.all());
    }
}
