/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.Expected;
import org.meteorshower.transactions.chains.RowMemory;
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
 * What clients of this data centre have asked for: waiting for the next epoch, then for their entry to be decided and
 * executed. Who waits in vain is told the truth: certainly not proposed, or unknown.
 */
final class Submissions {
    private static final long NOBODY = 0;

    /** For who is turned away without being told better. */
    private static final long RETRY_MICROS = 100_000;

    private static final long BEHIND_MICROS = 5_000_000;

    /** Whose clients ask for as little do not wait behind those who load. */
    private static final int SMALL_BYTES = 4 << 10;

    private final Turn turn;
    private final Settings settings;
    private final Admission admission;
    private final Lane own;
    private final Forms forms;
    private final RowMemory memory;

    /** How far execution is behind what is proposed here, where rows have no room; 0 where they have. */
    private final LongSupplier roomMicros;

    /** An entry closes early where it would be larger. */
    private final int mostEntryBytes;

    private final Map<Long, Waiting> waiting = new LinkedHashMap<>();
    private final ArrayDeque<Submission> small = new ArrayDeque<>();
    private final ArrayDeque<Submission> large = new ArrayDeque<>();

    /** What was proposed in this data centre's lane by this process, and is not decided, by position. */
    private final TreeMap<Long, Entry> proposed = new TreeMap<>();

    /** Of those that are not proposed and that somebody waits for. */
    private long openBytes;

    /** Of them the small ones. */
    private long openSmallBytes;

    /** Of all that somebody waits for. */
    private long bytes;

    private long nextTicket;
    private boolean retired;

    /** Who leads under it, or a lower one, takes nothing any more. */
    private long refusedBallot = Ballot.NONE;

    /** @param life tickets of other lives are other tickets */
    Submissions(
            Turn turn,
            Settings settings,
            Admission admission,
            Lane own,
            Forms forms,
            RowMemory memory,
            LongSupplier roomMicros,
            long life) {
        this.turn = turn;
        this.settings = settings;
        this.admission = admission;
        this.own = own;
        this.forms = forms;
        this.memory = memory;
        this.roomMicros = roomMicros;
        this.mostEntryBytes = settings.budget().entryBytes();
        this.nextTicket = (life << 32) + 1;
    }

    void submit(long client, Request request, long deadlineNanos) {
        if (retired) {
            turn.emit(new Effect.Reply(client, notReady()));
            return;
        }
        int weight = request.weight();
        Answer refusal = refusal(weight, deadlineNanos);
        if (refusal != null) {
            turn.emit(new Effect.Reply(client, refusal));
            return;
        }
        Submission submission = forms.submission(nextTicket++, request);
        Waiting waiter = new Waiting(client, deadlineNanos, submission, request, weight);
        waiting.put(submission.ticket(), waiter);
        opened(weight);
        bytes += weight;
        queue(weight).add(submission);
    }

    /** So much more waits for its entry, or less where it is negative. */
    private void opened(int weight) {
        openBytes += weight;
        openSmallBytes += Math.abs(weight) <= SMALL_BYTES ? weight : 0;
    }

    private ArrayDeque<Submission> queue(int weight) {
        return weight <= SMALL_BYTES ? small : large;
    }

    /** Why it is not taken; null where it is. */
    private @Nullable Answer refusal(int weight, long deadlineNanos) {
        if (admission.isBehind()) {
            return overloaded(BEHIND_MICROS, "this data centre lags behind the others and catches up");
        }
        long forRoomMicros = roomMicros.getAsLong();
        if (2_000 * forRoomMicros > deadlineNanos - turn.nanos()) {
            return overloaded(forRoomMicros, "rows fill the memory until some are on the disk");
        }
        long waitMicros = admission.waitMicros((weight <= SMALL_BYTES ? openSmallBytes : openBytes) + weight);
        if (2_000 * waitMicros > deadlineNanos - turn.nanos()) {
            return overloaded(waitMicros, "more is asked for than the data centres write to their disks");
        } else if (open() >= settings.mostQueued()
                || bytes + weight > settings.budget().submissionBytes()
                || own.undecided() >= settings.mostUndecided()) {
            return overloaded(
                    Math.max(waitMicros, RETRY_MICROS),
                    open() + " submissions wait, " + bytes + " bytes are under way and " + own.undecided()
                            + " entries undecided");
        }
        return null;
    }

    private static Answer overloaded(long waitMicros, String why) {
        return new Answer.Refused(
                Answer.Refusal.OVERLOADED, why + ": try again in " + Math.max(1, waitMicros / 1_000) + " ms");
    }

    private int open() {
        return small.size() + large.size();
    }

    /** Of the system itself: nobody waits for it. */
    void submit(Request request) {
        if (open() < settings.mostQueued()) {
            small.add(forms.submission(NOBODY, request));
        }
    }

    /** Whether something of the system itself waits to be proposed. */
    boolean holds(Request request) {
        return small.stream().anyMatch(submission -> submission.request() == request);
    }

    /** Proposes what waits, as the epoch's entry. */
    void close(long epoch) {
        Entry entry = own.newEntry(epoch, nextBatch());
        proposed.put(own.nextPosition(), entry);
        own.propose(entry);
    }

    /**
     * Sends what waits to who leads this data centre's lane. It may be proposed there at any time, or never: nothing is
     * sent to anybody else later, unless that one says that it will not propose it.
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
        opened(waiter.weight);
        queue(waiter.weight).addFirst(waiter.submission(ticket));
    }

    /** Small ones first, as far as they leave the large ones their half; of these no more than may be proposed. */
    private List<Submission> nextBatch() {
        Batch batch = new Batch();
        batch.take(small, large.isEmpty() ? mostEntryBytes : mostEntryBytes / 2, admission.mayProposeSmall());
        batch.take(large, mostEntryBytes, admission.mayPropose());
        admission.proposed(batch.weight);
        return forms.together(batch.submissions);
    }

    /** What goes into one entry. */
    private final class Batch {
        private final List<Submission> submissions = new ArrayList<>();
        private int bytes;
        private long weight;
        private Expected rows = Expected.NOTHING;

        /**
         * @param most bytes in all, unless it is the first one
         * @param mostWeight of what is taken
         */
        void take(ArrayDeque<Submission> from, int most, long mostWeight) {
            while (!from.isEmpty() && submissions.size() < settings.mostPerEntry() && weight < mostWeight) {
                Submission submission = from.peek();
                Waiting waiter = waiting.get(submission.ticket());
                int itsBytes = waiter == null ? 0 : waiter.bytes;
                Expected withIts = rows.plus(memory.expected(submission.request()));
                if ((bytes + itsBytes > most || memory.areMany(withIts)) && !submissions.isEmpty()) {
                    return;
                }
                bytes += itsBytes;
                rows = withIts;
                from.poll();
                if (waiter != null) {
                    weight += waiter.weight;
                    opened(-waiter.weight);
                    waiter.proposed = true;
                }
                if (waiter != null || submission.ticket() == NOBODY) {
                    submissions.add(submission);
                }
            }
        }
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
        Waiting waiter = removed(ticket);
        if (waiter != null) {
            turn.emit(new Effect.Reply(waiter.client, new Answer.Done(outcome, token)));
        }
    }

    void tick() {
        boolean areSomeLate = false;
        for (Iterator<Map.Entry<Long, Waiting>> all = waiting.entrySet().iterator(); all.hasNext(); ) {
            Waiting waiter = all.next().getValue();
            if (turn.nanos() > waiter.deadlineNanos) {
                all.remove();
                left(waiter);
                areSomeLate |= !waiter.proposed;
                turn.emit(new Effect.Reply(waiter.client, late(waiter)));
            }
        }
        if (areSomeLate) {
            small.removeIf(this::isLate);
            large.removeIf(this::isLate);
        }
    }

    private boolean isLate(Submission submission) {
        return submission.ticket() != NOBODY && !waiting.containsKey(submission.ticket());
    }

    private @Nullable Waiting removed(long ticket) {
        Waiting waiter = waiting.remove(ticket);
        if (waiter != null) {
            left(waiter);
        }
        return waiter;
    }

    private void left(Waiting waiter) {
        bytes -= waiter.weight;
        if (!waiter.proposed) {
            opened(-waiter.weight);
        }
    }

    /** What is true of a submission that nobody waits for any longer. */
    private static Answer late(Waiting waiter) {
        return isProposed(waiter)
                ? new Answer.Unknown(
                        waiter.forwardedTo == Ballot.NONE
                                ? "proposed, and not known to be decided and executed in time"
                                : "sent to the data centre that leads this one's lane, and not known to be decided and"
                                        + " executed in time")
                : new Answer.Refused(
                        Answer.Refusal.NOT_PROPOSED,
                        "this data centre could not propose in its lane before the deadline");
    }

    private static boolean isProposed(Waiting waiter) {
        return waiter.proposed;
    }

    /** Whether anybody, or the system itself, waits for something to be proposed, decided or executed. */
    boolean isAsked() {
        return !waiting.isEmpty() || open() > 0;
    }

    /** About how many bytes of heap the requests take that wait for an answer. */
    long bytes() {
        return bytes;
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
                left(waiter);
                turn.emit(new Effect.Reply(waiter.client, notReady()));
            }
        }
    }

    private static Answer notReady() {
        return new Answer.Refused(Answer.Refusal.NOT_READY, "this data centre's process hands over to another one");
    }

    private void unknown(long ticket) {
        Waiting waiter = removed(ticket);
        if (waiter != null) {
            turn.emit(new Effect.Reply(waiter.client, new Answer.Unknown("this data centre lost track of it")));
        }
    }
}
