/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import java.util.List;

/**
 * One entry of a lane: what a data centre took in during an epoch.
 *
 * @param epoch that its leader closed with it; 0 where a new leader fills a hole
 * @param origin the ballot under which it was first proposed: tells entries of one position apart; 0 for a filler
 */
public record Entry(long epoch, long origin, List<Submission> submissions) {
    public static final Entry FILLER = new Entry(0, Ballot.NONE, List.of());

    public Entry {
        submissions = List.copyOf(submissions);
    }

    @Override
    public String toString() {
        return "e" + epoch + (submissions.isEmpty() ? "" : submissions.toString());
    }
}
