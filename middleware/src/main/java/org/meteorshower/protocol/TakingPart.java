/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How a table begins to take part in transactions while clients read and write it: what a node says of it when it is
 * asked, and what follows from what all nodes say. Whoever asks decides nothing that another who asks could decide
 * otherwise, so that any node may ask, several at a time, and one go on where another has died. Pure.
 *
 * <p>The rule: no node runs a transaction on the table before (1) every node has closed it, and the requests that began
 * there before have ended; and after that (2) every node holds of it what all others hold, and takes no mutation of
 * such a request any more. So all data centres begin with the same rows, and nothing that was acknowledged is left out
 * (docs/CATENAE.md, "How a table begins to take part").
 */
public final class TakingPart {
    /** Three thousand years from now: what is later is no time in microseconds. */
    public static final long LATEST_MICROS = 100_000_000_000_000_000L;

    private TakingPart() {}

    /** How far a table is, as its schema says. */
    public enum Stage {
        /** Clients read and write it as ever; its replicas bring each other up to date. */
        COMING_TOGETHER,
        /** Clients wait. */
        CLOSED,
        /** It takes part. */
        OPEN,
        /** It took part once, and does not any more. */
        ENDED
    }

    /** What a node can be asked. */
    public enum Question {
        /** How it is; nothing changes by that. Before the table is closed. */
        LOOK,
        /** Whether it has closed the table, and no request goes on that began before. */
        CLOSED,
        /** What it holds; from now on it takes no client's mutation of it. Once all have said that they have closed. */
        HOLDS
    }

    /** What a node can say. */
    public enum Word {
        /** To be asked again. */
        NOT_YET,
        /** It has closed the table. */
        CLOSED,
        /** It holds nothing of it. */
        NOTHING,
        /** What it holds, each replica holds. */
        ALIKE,
        /** It holds some, and nobody knows what others do. */
        APART
    }

    /**
     * @param newestMicros no write that this node holds has a later timestamp; 0 where that is not said
     * @param why it is not yet so; else empty
     */
    public record Answer(Word word, long newestMicros, String why) {
        private static Answer of(Word word, Here here) {
            return new Answer(word, here.newestMicros, "");
        }

        private static Answer notYet(String why) {
            return new Answer(Word.NOT_YET, 0, why);
        }
    }

    /**
     * A table at the node that is asked, now.
     *
     * @param isClosed whether the node knows that it is closed, by the very change of the schema that is asked about
     * @param requests whether requests go on here that began before it knew
     * @param data whether the node holds any of the table's data
     * @param enabled whether the table is enabled for sequential reads
     * @param notServed why it is not served to clients of this node; null where it is
     * @param unsettled whether there are mutations here that some replica may not have
     * @param newestMicros the newest timestamp of the data; of use for {@link Question#HOLDS} only
     */
    public record Here(
            boolean isClosed,
            boolean requests,
            boolean data,
            boolean enabled,
            @Nullable String notServed,
            boolean unsettled,
            long newestMicros) {}

    /** What a node says. Where it is asked what it holds, it has begun to take no more before it looked. */
    public static Answer answer(Question question, Here here) {
        return switch (question) {
            case LOOK -> held(here);
            case CLOSED -> closed(here);
            case HOLDS -> {
                Answer closed = closed(here);
                yield closed.word == Word.CLOSED ? held(here) : closed;
            }
        };
    }

    private static Answer closed(Here here) {
        if (!here.isClosed) {
            return Answer.notYet("has not heard yet that the table is closed");
        }
        return here.requests
                ? Answer.notYet("has requests that began before the table was closed")
                : Answer.of(Word.CLOSED, here);
    }

    private static Answer held(Here here) {
        if (!here.enabled) {
            return Answer.of(here.data ? Word.APART : Word.NOTHING, here);
        } else if (here.notServed != null) {
            return Answer.notYet(here.notServed);
        }
        return here.isClosed && here.unsettled
                ? Answer.notYet("has mutations that some replica may not have")
                : Answer.of(Word.ALIKE, here);
    }

    /** What is to be asked first. */
    public static Question firstQuestion(@Nullable Stage stage) {
        return stage == Stage.CLOSED ? Question.CLOSED : Question.LOOK;
    }

    /** Whether all have closed it, so that they can be asked what they hold. */
    public static boolean areClosed(Collection<Answer> answers) {
        return all(answers, Word.CLOSED, Word.CLOSED);
    }

    /**
     * What the table's stage becomes by what all nodes said, to {@link Question#LOOK} or, where it is closed, to
     * {@link Question#HOLDS}; null where it stays.
     *
     * @param stage null where nobody has asked for it before
     * @param answers of each node of the cluster, one of which must be there
     */
    public static @Nullable Stage next(@Nullable Stage stage, Collection<Answer> answers) {
        if (any(answers, Word.NOT_YET)) {
            return stage == null ? Stage.COMING_TOGETHER : null;
        }
        if (all(answers, Word.NOTHING, Word.ALIKE)) {
            return stage == Stage.CLOSED ? Stage.OPEN : Stage.CLOSED;
        }
        return stage == Stage.COMING_TOGETHER ? null : Stage.COMING_TOGETHER;
    }

    /**
     * The time that transactions' timestamps are counted from: later than all that was written before, unless clients
     * have given their writes timestamps behind {@link #LATEST_MICROS}.
     */
    public static long baseMicros(long closedMicros, Collection<Answer> answers) {
        long newest = closedMicros;
        for (Answer answer : answers) {
            newest = Math.max(newest, Math.min(LATEST_MICROS, answer.newestMicros) + 1);
        }
        return newest;
    }

    private static boolean any(Collection<Answer> answers, Word word) {
        return answers.stream().anyMatch(answer -> answer.word == word);
    }

    private static boolean all(Collection<Answer> answers, Word one, Word other) {
        return answers.stream().allMatch(answer -> answer.word == one || answer.word == other);
    }
}
