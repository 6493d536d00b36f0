/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Entry;

/**
 * Of one lane, the decided entries whose turn comes next and that are not held in memory any more, or were not since
 * the process began: read from the log page by page, a few pages ahead.
 */
public final class Backlog {
    private final Lane lane;
    private final LogReads reads;
    private final long mostBytes;
    private final Deque<Entry> entries = new ArrayDeque<>();

    /** Of the first of the entries. */
    private long first;

    private long weight;
    private boolean reading;

    /** The log did not hold what it should: a snapshot has to be had. */
    private boolean broken;

    /** What was asked for before a jump is not wanted any more. */
    private int jumps;

    /** @param first the lane's next position to be executed */
    public Backlog(Lane lane, LogReads reads, long mostBytes, long first) {
        this.lane = lane;
        this.reads = reads;
        this.mostBytes = mostBytes;
        this.first = first;
    }

    /** The decided entry; null where it has not been read yet. */
    public @Nullable Entry decided(long position) {
        forgetBelow(position);
        return first == position ? entries.peekFirst() : null;
    }

    private void forgetBelow(long position) {
        while (first < position && !entries.isEmpty()) {
            weight -= entries.removeFirst().weight();
            first++;
        }
        if (entries.isEmpty()) {
            first = Math.max(first, position);
        }
    }

    /**
     * Reads on, where what comes next is in the log and there is room. To be called with each step.
     *
     * @param position the lane's next one to be executed
     */
    public void readOn(long position) {
        forgetBelow(position);
        long from = first + entries.size();
        long below = lane.log().start();
        if (!reading && from < below && weight < mostBytes) {
            int jump = jumps;
            reading = reads.read(lane.number(), from, below, (at, read) -> {
                if (jump == jumps) {
                    arrived(at, read);
                }
            });
        }
    }

    private void arrived(long at, List<Entry> read) {
        reading = false;
        broken = read.isEmpty();
        if (at == first + entries.size()) { // else it was executed meanwhile, which can only be where it never was
            // needed
            for (Entry entry : read) {
                entries.add(entry);
                weight += entry.weight();
            }
        }
    }

    /** About how many bytes of heap it takes. */
    public long weight() {
        return weight;
    }

    /** Whether the log lacks what is to be executed. */
    public boolean isBroken() {
        return broken;
    }

    /** A snapshot covers everything below the position. */
    public void jump(long position) {
        entries.clear();
        weight = 0;
        first = position;
        reading = false;
        broken = false;
        jumps++;
    }
}
