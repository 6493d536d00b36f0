/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import java.util.List;
import java.util.Objects;

/**
 * One entry of a lane: what a data centre took in during an epoch. Immutable; equality is by content and form.
 *
 * <p>There are two forms. In that with fronts all submissions are bytes, after what is said of them; in the earlier one
 * they are requests. One without submissions is of the earlier form.
 */
public final class Entry {
    public static final Entry FILLER = new Entry(0, Ballot.NONE, List.of());
    private static final int WEIGHT = 64;

    private final long epoch;
    private final long origin;
    private final List<Submission> submissions;
    private final boolean isFronted;

    /** 0 until it was asked for: any thread computes the same. */
    private int weight;

    /**
     * @param epoch that its leader closed with it; 0 where a new leader fills a hole
     * @param origin the ballot under which it was first proposed: tells entries of one position apart; 0 for a filler
     * @throws IllegalArgumentException if some submissions have a front, and others not
     */
    public Entry(long epoch, long origin, List<Submission> submissions) {
        this.epoch = epoch;
        this.origin = origin;
        this.submissions = List.copyOf(submissions);
        this.isFronted = !submissions.isEmpty() && submissions.get(0).body() != null;
        for (Submission submission : submissions) {
            if ((submission.body() != null) != isFronted) {
                throw new IllegalArgumentException("an entry of submissions with fronts, and without");
            }
        }
    }

    public long epoch() {
        return epoch;
    }

    public long origin() {
        return origin;
    }

    public List<Submission> submissions() {
        return submissions;
    }

    /** Whether its submissions are bytes, after what is said of them. */
    public boolean isFronted() {
        return isFronted;
    }

    /** About how many bytes it takes on the heap, or will when it is read. */
    public int weight() {
        int known = weight;
        if (known == 0) {
            known = WEIGHT;
            for (Submission submission : submissions) {
                known += submission.weight();
            }
            weight = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Entry entry
                && epoch == entry.epoch
                && origin == entry.origin
                && submissions.equals(entry.submissions);
    }

    @Override
    public int hashCode() {
        return Objects.hash(epoch, origin, submissions);
    }

    @Override
    public String toString() {
        return "e" + epoch + (submissions.isEmpty() ? "" : submissions.toString());
    }
}
