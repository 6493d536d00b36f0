/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

/** What may happen next in a world, packed into a number. */
final class Move {
    /** Kinds of moves, in the order in which the search takes them by itself: faults last, and never by itself. */
    enum Kind {
        GO_ON(0, 'g', "goes on with task"),
        TAKE(1, 't', "takes mutation"),
        HEAR(2, 'h', "hears what came from"),
        BEGIN(3, 'b', "begins its next operation"),
        TICK(4, 'k', "timer fires"),
        CRASH(5, 'c', "dies and starts again"),
        CRASH_AND_RESET(6, 'x', "dies and starts again, and its connections break"),
        LOSE(7, 'l', "loses a message from"),
        LOSE_MUTATION(8, 'm', "loses mutation"),
        OVERTAKE(9, 'o', "hears the second before the first from"),
        REPEAT(10, 'r', "hears, and will hear again, what came from"),
        RESET(11, 'z', "loses all that is on its way from");

        /** Its place in {@link #values}. */
        final int code;

        /** What it is called in a schedule. */
        final char letter;

        final String words;

        Kind(int code, char letter, String words) {
            this.code = code;
            this.letter = letter;
            this.words = words;
        }

        boolean isFault() {
            return compareTo(TICK) > 0;
        }
    }

    private static final Kind[] KINDS = Kind.values();

    private Move() {}

    /** @param of the node, or the session, that moves */
    static int of(Kind kind, int of, int which) {
        return kind.code << 16 | of << 8 | which;
    }

    static Kind kind(int move) {
        return KINDS[move >> 16];
    }

    static int of(int move) {
        return move >> 8 & 0xff;
    }

    static int which(int move) {
        return move & 0xff;
    }

    /** A bit for where the event comes from. */
    static int source(int move) {
        int at =
                switch (kind(move)) {
                    case GO_ON -> of(move);
                    case TAKE -> 3 + of(move);
                    case HEAR -> 6 + 3 * of(move) + which(move);
                    case BEGIN -> 15 + of(move);
                    case TICK -> 25 + of(move);
                    default -> 31;
                };
        return 1 << at;
    }

    static String words(int move) {
        Kind kind = kind(move);
        String who = (kind == Kind.BEGIN ? "s" : "n") + of(move);
        String which =
                switch (kind) {
                    case HEAR, LOSE, OVERTAKE, REPEAT, RESET -> " n" + which(move);
                    case GO_ON, TAKE, LOSE_MUTATION -> " " + which(move);
                    default -> "";
                };
        return who + " " + kind.words + which;
    }

    /** As a schedule has it: a letter, who, and which. */
    static String shortly(int move) {
        return kind(move).letter + Integer.toString(of(move)) + which(move);
    }

    /** @throws IllegalArgumentException if it is no move */
    static int parse(String text) {
        for (Kind kind : KINDS) {
            if (text.length() == 3 && text.charAt(0) == kind.letter) {
                return of(kind, Character.digit(text.charAt(1), 10), Character.digit(text.charAt(2), 10));
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no move of a schedule: copy it as it was printed");
    }
}
