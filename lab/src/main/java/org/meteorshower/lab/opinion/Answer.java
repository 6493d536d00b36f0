/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import org.meteorshower.checker.Outcome;

/**
 * What a checker says of a history.
 *
 * @param why a few words; may be empty
 */
record Answer(Opinion opinion, String why) {
    /** Whether the history has the property. */
    enum Opinion {
        ACCEPTED,
        REFUSED,
        /** Not known: it took too long, or the checker could not do it. */
        OPEN
    }

    static Answer of(Outcome outcome, String why) {
        return new Answer(
                switch (outcome) {
                    case CONSISTENT -> Opinion.ACCEPTED;
                    case VIOLATION -> Opinion.REFUSED;
                    case UNDECIDED, BAD_INPUT -> Opinion.OPEN;
                },
                why);
    }

    boolean is(Opinion expected) {
        return opinion == expected;
    }
}
