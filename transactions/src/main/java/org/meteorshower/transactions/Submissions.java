/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/**
 * What clients of this data centre have asked for: waiting for the next epoch, then for their entry to be decided and executed. Who
 * waits in vain is told the truth: certainly not proposed, or unknown.
 */
final class Submissions {
    private static final long NOBODY = 0;

    /** An entry closes early where it would be larger: it has to fit into a message, and into a write of the store. */
    private static final int MOST_ENTRY_BYTES = 1 << 20;

    /** Of submissions that wait for their entry. */
    private static final long MOST_QUEUED_BYTES = 16L << 20;

    private static final class Waiting {
        private final long client;
        private final long deadlineNanos;
        private final Request request;
        private final int bytes;
        private boolean proposed;

        /** The ballot under which another data centre was asked to propose it. */
        private long forwardedTo = Ballot.NONE;

        Waiting(long client, long deadlineNanos, Request request, int bytes) {
            this.client = client;
            this.deadlineNanos = deadlineNanos;
            this.request = request;
            this.bytes = bytes;
        }
    }

    private final Turn turn;
    private final Settings settings;
    private final Lane own;
    private final Map<Long, Waiting> waiting = new LinkedHashMap<>();
    private final ArrayDeque<Submission> open = new ArrayDeque<>();

    /** What was proposed in this data centre's lane by this process, and is not decided, by position. */
    private final TreeMap<Long, Entry> proposed = new TreeMap<>();

    /** Of those in {@link #open} that somebody waits for. */
    private long openBytes;

    private long nextTicket;
    private boolean retired;

    /** Who leads under it, or a lower one, takes nothing any more. */
    private long refusedBallot = Ballot.NONE;

    /** @param life tickets of other lives are other tickets */
    Submissions(Turn turn, Settings settings, Lane own, long life) {
        this.turn = turn;
        this.settings = settings;
        this.own = own;
        this.nextTicket = (life << 32) + 1;
    }

    void submit(long client, Request request, long deadlineNanos) {
        if (retired) {
            turn.emit(new Effect.Reply(client, notReady()));
            return;
        }
        int bytes = LogCodec.size(request);
        if (open.size() >= settings.mostQueued()
                || openBytes + bytes > MOST_QUEUED_BYTES
                || own.undecided() >= settings.mostUndecided()) {
            turn.emit(new Effect.Reply(
                    client,
                    new Answer.Refused(
                            Answer.Refusal.OVERLOADED,
                            open.size() + " submissions wait and " + own.undecided() + " entries are undecided here")));
            return;
        }
        long ticket = nextTicket++;
        waiting.put(ticket, new Waiting(client, deadlineNanos, request, bytes));
        open.add(new Submission(ticket, request));
        openBytes += bytes;
    }

    /** Of the system itself: nobody waits for it. */
    void submit(Request request) {
        if (open.size() < settings.mostQueued()) {
            open.add(new Submission(NOBODY, request));
        }
    }

    /** Proposes what waits, as the epoch's entry. */
    void close(long epoch) {
        Entry entry = own.newEntry(epoch, nextBatch());
        proposed.put(own.nextPosition(), entry);
        own.propose(entry);
    }

    /**
     * Sends what waits to who leads this data centre's lane. It may be proposed there at any time, or never: nothing is sent to
     * anybody else later, unless that one says that it will not propose it.
     */
    void forward(int leader, long ballot) {
        List<Submission> batch = ballot > refusedBallot ? nextBatch() : List.of();
        for (Submission submission : batch) {
            Waiting waiter = waiting.get(submission.ticket());
            if (waiter != null) {
                waiter.forwardedTo = ballot;
            }
        }
        if (!batch.isEmpty()) {
            turn.sendTwice(leader, new Message.Forward(ballot, batch));
        }
    }

    /** Who led under the ballot has not proposed these, and never will. */
    void refused(int from, Message.ForwardRefused refused) {
        if (Ballot.proposer(refused.ballot()) != from) {
            return;
        }
        refusedBallot = Math.max(refusedBallot, refused.ballot());
        List<Long> tickets = refused.tickets();
        for (int i = tickets.size() - 1; i >= 0; i--) {
            Waiting waiter = waiting.get(tickets.get(i));
            if (waiter != null && waiter.forwardedTo == refused.ballot()) {
                waiter.forwardedTo = Ballot.NONE;
                again(tickets.get(i), waiter);
            }
        }
    }

    private void again(long ticket, Waiting waiter) {
        waiter.proposed = false;
        openBytes += waiter.bytes;
        open.addFirst(new Submission(ticket, waiter.request));
    }

    private List<Submission> nextBatch() {
        List<Submission> batch = new ArrayList<>();
        int bytes = 0;
        while (!open.isEmpty() && batch.size() < settings.mostPerEntry()) {
            Submission submission = open.peek();
            Waiting waiter = waiting.get(submission.ticket());
            bytes += waiter == null ? 0 : waiter.bytes;
            if (bytes > MOST_ENTRY_BYTES && !batch.isEmpty()) {
                break;
            }
            open.poll();
            openBytes -= waiter == null ? 0 : waiter.bytes;
            if (waiter != null) {
                waiter.proposed = true;
            }
            if (waiter != null || submission.ticket() == NOBODY) {
                batch.add(submission);
            }
        }
        return batch;
    }

    /** A position of this data centre's lane is decided. */
    void decided(long position, Entry entry) {
        Entry mine = proposed.remove(position);
        if (mine != null && mine.origin() != entry.origin()) {
            // It stands nowhere and never will. The same submissions, with the same numbers, go into a later entry.
            for (int i = mine.submissions().size() - 1; i >= 0; i--) {
                Waiting waiter = waiting.get(mine.submissions().get(i).ticket());
                if (waiter != null) {
                    again(mine.submissions().get(i).ticket(), waiter);
                }
            }
        }
    }

    /** @param token the count of merged entries up to and with its own */
    void executed(long ticket, Outcome outcome, long token) {
        Waiting waiter = waiting.remove(ticket);
        if (waiter != null) {
            turn.emit(new Effect.Reply(waiter.client, new Answer.Done(outcome, token)));
        }
    }

    void tick() {
        for (Iterator<Map.Entry<Long, Waiting>> all = waiting.entrySet().iterator(); all.hasNext(); ) {
            Waiting waiter = all.next().getValue();
            if (turn.nanos() > waiter.deadlineNanos) {
                all.remove();
                openBytes -= waiter.proposed ? 0 : waiter.bytes;
                turn.emit(new Effect.Reply(waiter.client, late(waiter)));
            }
        }
    }

    /** What is true of a submission that nobody waits for any longer. */
    private static Answer late(Waiting waiter) {
        return isProposed(waiter)
                ? new Answer.Unknown("proposed, and not known to be decided and executed in time")
                : new Answer.Refused(
                        Answer.Refusal.NOT_PROPOSED,
                        "this data centre could not propose in its lane before the deadline");
    }

    private static boolean isProposed(Waiting waiter) {
        return waiter.proposed;
    }

    /** Whether anybody, or the system itself, waits for something to be proposed, decided or executed. */
    boolean isAsked() {
        return !waiting.isEmpty() || !open.isEmpty();
    }

    int waiting() {
        return waiting.size();
    }

    /** Positions below are covered by a snapshot: what became of them is not seen here. */
    void skipTo(long position) {
        for (Entry entry : proposed.headMap(position).values()) {
            entry.submissions().forEach(submission -> unknown(submission.ticket()));
        }
        proposed.headMap(position).clear();
    }

    /** Takes nothing any more, and gives back what was not proposed: its clients can ask the next process for it. */
    void retire() {
        retired = true;
        giveBack();
    }

    /** This process stops. */
    void abandon() {
        giveBack();
        List.copyOf(waiting.keySet()).forEach(this::unknown);
    }

    private void giveBack() {
        for (Iterator<Waiting> all = waiting.values().iterator(); all.hasNext(); ) {
            Waiting waiter = all.next();
            if (!isProposed(waiter)) {
                all.remove();
                openBytes -= waiter.bytes;
                turn.emit(new Effect.Reply(waiter.client, notReady()));
            }
        }
    }

    private static Answer notReady() {
        return new Answer.Refused(Answer.Refusal.NOT_READY, "this data centre's process hands over to another one");
    }

    private void unknown(long ticket) {
        Waiting waiter = waiting.remove(ticket);
        if (waiter != null) {
            turn.emit(new Effect.Reply(waiter.client, new Answer.Unknown("this data centre lost track of it")));
        }
    }
}
