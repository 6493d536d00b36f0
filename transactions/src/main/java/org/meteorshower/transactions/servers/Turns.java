/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.Set;
import java.util.TreeSet;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.SessionId;

/** To which ranges a submission goes by its front. Pure functions. */
final class Turns {
    private Turns() {}

    /**
     * The range of the first row that it may write; of the first one where it writes none.
     *
     * @param place where the submission stands
     */
    static int turn(Front front, SessionId place, long count, Division division) {
        if (front.opens()) {
            return division.rangeOf(place.row());
        }
        return front.size() == 0 ? (int) (count % division.ranges()) : division.rangeOf(front.token(0));
    }

    /** The ranges of all rows, and that of the turn. Ascending. */
    static Set<Integer> ranges(Front front, SessionId place, long count, Division division) {
        Set<Integer> ranges = new TreeSet<>();
        ranges.add(turn(front, place, count, division));
        for (int index = 0; index < front.size(); index++) {
            ranges.add(division.rangeOf(front.token(index)));
        }
        return ranges;
    }
}
