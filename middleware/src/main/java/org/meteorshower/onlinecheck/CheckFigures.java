/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

/**
 * What the checker has done so far. Immutable.
 *
 * @param judged answers found right, or wrong
 * @param undecided answers of which some write was not decided in time, or whose cells may have been deleted meanwhile
 * @param unknown answers whose cells were last written before they were watched
 * @param overflowed answers for which there was no room
 * @param violations of all kinds; must be 0
 */
public record CheckFigures(long judged, long undecided, long unknown, long overflowed, long violations) {
    public static final CheckFigures NONE = new CheckFigures(0, 0, 0, 0, 0);

    public CheckFigures plus(CheckFigures other) {
        return new CheckFigures(
                judged + other.judged,
                undecided + other.undecided,
                unknown + other.unknown,
                overflowed + other.overflowed,
                violations + other.violations);
    }

    public long notJudged() {
        return undecided + unknown + overflowed;
    }
}
