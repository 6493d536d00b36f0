/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * What data centres whose lanes this one leads, or is about to, have sent for those lanes. Each submission goes into
 * one entry at most, however often the network brings it: tickets are remembered for as long as this process knows the
 * ballot that they were sent to. When it has given that ballot up, it tells of those that it has not proposed that it
 * never will; and of those that it has, once it learns that something else is decided where they were. Of a ballot that
 * it does not know, an earlier life's perhaps, it can tell nothing.
 */
final class Forwarded {
    /** What this process knows of a ballot of a lane. */
    interface Ballots {
        /** It leads under it. */
        boolean isLed(int lane, long ballot);

        /** It leads under it, or may yet. */
        boolean mayBeLed(int lane, long ballot);

        /** It alone has led under it, or tried to, in this life, and never will again. */
        boolean isGivenUp(int lane, long ballot);

        /** No other process of this data centre has led under it, or will. */
        boolean isOwn(int lane, long ballot);

        static Ballots of(List<Lane> lanes) {
            return new Ballots() {
                @Override
                public boolean isLed(int lane, long ballot) {
                    return lanes.get(lane).isLedUnder(ballot);
                }

                @Override
                public boolean mayBeLed(int lane, long ballot) {
                    return lanes.get(lane).mayLeadUnder(ballot);
                }

                @Override
                public boolean isGivenUp(int lane, long ballot) {
                    return lanes.get(lane).hasGivenUp(ballot);
                }

                @Override
                public boolean isOwn(int lane, long ballot) {
                    return lanes.get(lane).owns(ballot);
                }
            };
        }
    }

    private static final int MOST_REMEMBERED = 10_000;

    /** So that a message stays small. */
    private static final int MOST_TOLD_AT_ONCE = 1_000;

    /** Of the system itself: to do it twice changes nothing. */
    private static final long NOBODY = 0;

    /**
     * An entry with what was forwarded.
     *
     * @param ballot under which that came
     * @param isOwn whether it was known then that no other process leads under it
     * @param origin of the entry
     */
    private record Proposed(long ballot, boolean isOwn, long origin, List<Long> tickets) {}

    private static final class Queue {
        private long ballot = Ballot.NONE;
        private final ArrayDeque<List<Submission>> batches = new ArrayDeque<>();

        /** Of the batches. */
        private long bytes;

        void add(List<Submission> batch) {
            batches.add(batch);
            bytes += weight(batch);
        }

        @Nullable
        List<Submission> poll() {
            List<Submission> batch = batches.poll();
            bytes -= batch == null ? 0 : weight(batch);
            return batch;
        }

        void clear() {
            batches.clear();
            bytes = 0;
        }

        private static long weight(List<Submission> batch) {
            return batch.stream().mapToLong(Submission::weight).sum();
        }

        /** What was proposed of it, and is not decided, by position. */
        private final TreeMap<Long, Proposed> proposed = new TreeMap<>();

        /** Tickets that were taken. Those below the floor are not remembered one by one, and are not taken any more. */
        private final TreeSet<Long> taken = new TreeSet<>();

        private long floor;

        boolean hasTaken(long ticket) {
            return ticket <= floor || taken.contains(ticket);
        }
    }

    private final Turn turn;
    private final Ballots ballots;
    private final int mostBatches;
    private final long mostBytes;
    private final List<Queue> queues = new ArrayList<>();

    /**
     * @param mostBatches that may wait for an entry of a lane; more are not taken
     * @param mostBytes that they may take
     */
    Forwarded(int lanes, int mostBatches, long mostBytes, Turn turn, Ballots ballots) {
        this.turn = turn;
        this.ballots = ballots;
        this.mostBatches = mostBatches;
        this.mostBytes = mostBytes;
        for (int lane = 0; lane < lanes; lane++) {
            queues.add(new Queue());
        }
    }

    /**
     * Returns what is new of it, and will be proposed if this data centre leads the sender's lane under that ballot.
     */
    List<Submission> received(int from, Message.Forward forward) {
        Queue queue = queues.get(from);
        if (!ballots.mayBeLed(from, forward.ballot())) {
            if (ballots.isGivenUp(from, forward.ballot())) {
                refuse(from, forward.ballot(), forward.submissions(), queue);
            }
            return List.of();
        }
        if (queue.ballot != forward.ballot()) {
            queue.ballot = forward.ballot();
            queue.clear();
            queue.taken.clear();
            queue.floor = 0;
        }
        List<Submission> fresh = new ArrayList<>();
        if (queue.batches.size() < mostBatches && queue.bytes < mostBytes) {
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
            queue.add(fresh);
        }
        return fresh;
    }

    /** What the lane's next entry is to hold: one batch, which its sender has made as large as an entry may be. */
    List<Submission> take(int lane) {
        Queue queue = queues.get(lane);
        List<Submission> batch = ballots.isLed(lane, queue.ballot) ? queue.poll() : null;
        return batch == null ? List.of() : batch;
    }

    /** What was taken for the lane is proposed at the position, in this entry. */
    void proposes(int lane, long position, Entry entry) {
        List<Long> tickets = entry.submissions().stream()
                .map(Submission::ticket)
                .filter(ticket -> ticket != NOBODY)
                .toList();
        if (!tickets.isEmpty()) {
            Queue queue = queues.get(lane);
            queue.proposed.put(
                    position, new Proposed(queue.ballot, ballots.isOwn(lane, queue.ballot), entry.origin(), tickets));
        }
    }

    /**
     * A position of the lane is decided. Where that is not what was proposed there, what was never will be: each went
     * into that entry alone. Whoever sent it is told, and asks for it elsewhere.
     */
    void decided(int lane, long position, Entry entry) {
        Proposed mine = queues.get(lane).proposed.remove(position);
        if (mine != null && mine.origin() != entry.origin() && (mine.isOwn() || ballots.isOwn(lane, mine.ballot()))) {
            tell(lane, mine.ballot(), mine.tickets());
        }
    }

    /** What became of positions below is not seen here. */
    void skipTo(int lane, long position) {
        queues.get(lane).proposed.headMap(position).clear();
    }

    /** Gives back what waits in vain. To be called with each step. */
    void giveBack() {
        for (int lane = 0; lane < queues.size(); lane++) {
            Queue queue = queues.get(lane);
            if (!queue.batches.isEmpty() && ballots.isGivenUp(lane, queue.ballot)) {
                giveBack(lane, queue);
            }
        }
    }

    /** About how many bytes of heap it takes. */
    long bytes() {
        return queues.stream().mapToLong(queue -> queue.bytes).sum();
    }

    /** This process stops, and proposes nothing any more. */
    void abandon() {
        for (int lane = 0; lane < queues.size(); lane++) {
            Queue queue = queues.get(lane);
            if (ballots.isOwn(lane, queue.ballot)) {
                giveBack(lane, queue);
            }
        }
    }

    private void giveBack(int lane, Queue queue) {
        List<Submission> waiting = new ArrayList<>();
        queue.batches.forEach(waiting::addAll);
        queue.clear();
        // Now they are as if they had never come: whoever asks again hears the same.
        waiting.forEach(submission -> queue.taken.remove(submission.ticket()));
        refuse(lane, queue.ballot, waiting, queue);
    }

    /** Of those that were taken it is not known here whether they were proposed. */
    private void refuse(int to, long ballot, List<Submission> submissions, Queue queue) {
        List<Long> tickets = new ArrayList<>();
        for (Submission submission : submissions) {
            long ticket = submission.ticket();
            if (ticket != NOBODY && !(queue.ballot == ballot && queue.hasTaken(ticket))) {
                tickets.add(ticket);
            }
        }
        tell(to, ballot, tickets);
    }

    private void tell(int to, long ballot, List<Long> tickets) {
        for (int from = 0; from < tickets.size(); from += MOST_TOLD_AT_ONCE) {
            List<Long> some = tickets.subList(from, Math.min(tickets.size(), from + MOST_TOLD_AT_ONCE));
            turn.sendTwice(to, new Message.ForwardRefused(ballot, some));
        }
    }
}
