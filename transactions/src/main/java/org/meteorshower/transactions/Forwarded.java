/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Message;

/**
 * What data centres whose lanes this one leads have sent for those lanes. Each submission goes into one entry at most, however often
 * the network brings it: tickets are remembered for as long as this process leads under the ballot that they were sent to. After that
 * they are refused, and a process that starts anew has another ballot.
 */
final class Forwarded {
    /** Says whether this data centre leads a lane under a ballot now. */
    interface Led {
        boolean isUnder(int lane, long ballot);
    }

    private static final int MOST_REMEMBERED = 10_000;

    /** Of the system itself: to do it twice changes nothing. */
    private static final long NOBODY = 0;

    private static final class Queue {
        private long ballot;
        private final ArrayDeque<List<Submission>> batches = new ArrayDeque<>();

        /** Tickets that were taken. Those below the floor are not remembered one by one, and are not taken any more. */
        private final TreeSet<Long> taken = new TreeSet<>();

        private long floor;
    }

    private final Led led;
    private final int mostBatches;
    private final List<Queue> queues = new ArrayList<>();

    /** @param mostBatches that may wait for an entry of a lane; more are not taken */
    Forwarded(int lanes, int mostBatches, Led led) {
        this.led = led;
        this.mostBatches = mostBatches;
        for (int lane = 0; lane < lanes; lane++) {
            queues.add(new Queue());
        }
    }

    /** Returns what is new of it and will be proposed; nothing where this data centre does not lead the sender's lane under that ballot. */
    List<Submission> received(int from, Message.Forward forward) {
        Queue queue = queues.get(from);
        if (!led.isUnder(from, forward.ballot())) {
            return List.of();
        }
        if (queue.ballot != forward.ballot()) {
            queue.ballot = forward.ballot();
            queue.batches.clear();
            queue.taken.clear();
            queue.floor = 0;
        }
        List<Submission> fresh = new ArrayList<>();
        if (queue.batches.size() < mostBatches) {
            for (Submission submission : forward.submissions()) {
                long ticket = submission.ticket();
                if (ticket == NOBODY || (ticket > queue.floor && queue.taken.add(ticket))) {
                    fresh.add(submission);
                }
            }
        }
        while (queue.taken.size() > MOST_REMEMBERED) {
            Long oldest = queue.taken.pollFirst();
            queue.floor = oldest == null ? queue.floor : oldest;
        }
        if (!fresh.isEmpty()) {
            queue.batches.add(fresh);
        }
        return fresh;
    }

    /** What the lane's next entry is to hold: one batch, which its sender has made as large as an entry may be. */
    List<Submission> take(int lane) {
        Queue queue = queues.get(lane);
        List<Submission> batch = led.isUnder(lane, queue.ballot) ? queue.batches.poll() : null;
        return batch == null ? List.of() : batch;
    }
}
