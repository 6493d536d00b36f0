/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * This data centre as the one that may propose in a lane, its own or another's.
 *
 * <p>FOLLOWING to PREPARING by {@link #begin}; PREPARING to LEADING when a majority has promised; both to FOLLOWING
 * when a higher ballot is seen, when phase 1 takes too long, or when what is promised shows that this data centre lags.
 */
final class LaneLeader {
    /** What it is doing. */
    enum State {
        FOLLOWING,
        PREPARING,
        LEADING
    }

    private static final int MOST_RESENT_AT_ONCE = 64;
    private static final long LONGEST_RESEND_MICROS = 1_000_000;
    private static final long LONGEST_PHASE1_MICROS = 10_000_000;

    private final int lane;
    private final Members members;
    private final Turn turn;
    private final Courier courier;
    private final LaneLog log;
    private final Generations generations;
    private final long firstPhase1Micros;

    private State state = State.FOLLOWING;

    /** Whether the ballot is one of a revocation. */
    private boolean revoking;

    private long ballot = Ballot.NONE;

    /** The last ballot of this data centre's that this process has promised itself, durably. */
    private long own = Ballot.NONE;

    private long highestSeen;
    private long since;
    private long phase1Micros;
    private long next;
    private final Map<Integer, Message.Promised> promises = new TreeMap<>();
    private final TreeMap<Long, Outstanding> outstanding = new TreeMap<>();

    /** Of what is outstanding. */
    private long undecidedBytes;

    /** The highest that was proposed here. */
    private long closedEpoch;

    private static final class Outstanding {
        private final Entry entry;
        private long dueMicros;
        private long waitMicros;

        Outstanding(Entry entry, long dueMicros, long waitMicros) {
            this.entry = entry;
            this.dueMicros = dueMicros;
            this.waitMicros = waitMicros;
        }
    }

    LaneLeader(
            int lane,
            Members members,
            Turn turn,
            Courier courier,
            LaneLog log,
            Generations generations,
            long phase1Micros) {
        this.lane = lane;
        this.members = members;
        this.turn = turn;
        this.courier = courier;
        this.log = log;
        this.generations = generations;
        this.firstPhase1Micros = phase1Micros;
        this.phase1Micros = phase1Micros;
    }

    boolean isLeading() {
        return state == State.LEADING;
    }

    boolean isFollowing() {
        return state == State.FOLLOWING;
    }

    long ballot() {
        return ballot;
    }

    /** Whether it began this ballot, in this life, and will not lead under it any more. */
    boolean hasGivenUp(long other) {
        return owns(other) && other == ballot && state == State.FOLLOWING;
    }

    /**
     * Whether no other process of this data centre has led under this ballot, or will. One that was replaced, and goes
     * on before it finds that out, may try to lead under its successor's.
     */
    boolean owns(long other) {
        return other == own && other != Ballot.NONE;
    }

    /** This data centre's own promise of its ballot is durable. */
    void promisedToItself(long durable) {
        own = durable;
    }

    /** Whether it leads under this ballot, or may yet. */
    boolean mayLeadUnder(long other) {
        return other == ballot && state != State.FOLLOWING;
    }

    /** The highest ballot of the lane that this data centre has heard of. */
    long highestSeen() {
        return highestSeen;
    }

    int undecided() {
        return outstanding.size();
    }

    long undecidedBytes() {
        return undecidedBytes;
    }

    /**
     * Starts phase 1. The ballot is above every one known here, those of this data centre's earlier processes among
     * them.
     */
    void begin() {
        prepare(Ballot.above(highestSeen, generations.of(members.self()), members.self()));
        revoking = false;
        // First to this data centre's own acceptor: the others hear of the ballot when it is durable here.
        courier.tell(members.self(), new Message.Prepare(lane, ballot, log.decidedBelow()));
    }

    private void prepare(long anew) {
        ballot = anew;
        highestSeen = anew;
        state = State.PREPARING;
        since = turn.micros();
        clear();
    }

    /** Others are promising, to each other and to this data centre, that it may lead under the ballot. */
    void inherit(long anew) {
        prepare(anew);
        revoking = true;
    }

    /**
     * What all of them had accepted: all that may be proposed where they tell of something. Returns whether this data
     * centre leads from now on.
     */
    boolean revoked(long under, SortedMap<Long, Entry> values) {
        if (state != State.PREPARING || !revoking || under != ballot) {
            return false;
        } else if (values.firstKey() > log.decidedBelow()) {
            phase1Failed(); // This data centre has to catch up first.
            return false;
        }
        lead(values);
        return true;
    }

    /** Some ballot is in use. */
    void seen(long other) {
        if (other > highestSeen) {
            highestSeen = other;
            if (other > ballot && state != State.FOLLOWING) {
                follow();
            }
        }
    }

    private void follow() {
        state = State.FOLLOWING;
        clear();
    }

    private void clear() {
        promises.clear();
        outstanding.clear();
        undecidedBytes = 0;
    }

    /** Returns whether this data centre leads from now on. */
    boolean promised(int from, Message.Promised promise) {
        if (from == members.self()) {
            promisedToItself(promise.ballot());
        }
        if (state != State.PREPARING || revoking || promise.ballot() != ballot) {
            return false;
        }
        if (promise.generations().get(from) < generations.of(from)) {
            return false; // Of a disk that was lost since.
        }
        boolean first = promises.put(from, promise) == null;
        if (first && from == members.self()) {
            turn.sendToOthers(new Message.Prepare(lane, ballot, log.decidedBelow()));
        }
        return promises.size() >= members.majority() && lead();
    }

    /** Promises of a disk that was lost do not count. */
    void forgetPromiseOf(int dc) {
        promises.remove(dc);
    }

    private boolean lead() {
        TreeMap<Long, AcceptedEntry> reported = new TreeMap<>();
        for (Message.Promised promise : promises.values()) {
            if (promise.state().floor() > log.decidedBelow()) {
                // Entries that this data centre lacks are gone there. What looks like a hole is none.
                phase1Failed();
                return false;
            }
            for (AcceptedEntry entry : promise.state().accepted()) {
                reported.merge(entry.position(), entry, (a, b) -> a.ballot() >= b.ballot() ? a : b);
            }
        }
        TreeMap<Long, Entry> values = new TreeMap<>();
        reported.forEach((position, vote) -> values.put(position, vote.entry()));
        lead(values);
        return true;
    }

    private void lead(SortedMap<Long, Entry> values) {
        state = State.LEADING;
        phase1Micros = firstPhase1Micros;
        next = Math.max(log.endOfDecided(), values.isEmpty() ? 0 : values.lastKey() + 1);
        for (long position = log.decidedBelow(); position < next; position++) {
            if (log.decided(position) == null) {
                proposeAt(position, values.getOrDefault(position, Entry.FILLER));
            }
        }
        promises.clear();
        turn.alarm(
                Effect.AlarmKind.LEADS,
                "lane " + lane + " under " + Ballot.describe(ballot) + " from position " + next + " on");
    }

    long closedEpoch() {
        return closedEpoch;
    }

    long nextPosition() {
        return next;
    }

    /** Only while leading. */
    void propose(Entry entry) {
        if (state != State.LEADING) {
            throw new IllegalStateException("lane " + lane + " is not led by data centre " + members.self());
        }
        proposeAt(next++, entry);
    }

    private void proposeAt(long position, Entry entry) {
        long wait = firstPhase1Micros / 2;
        closedEpoch = Math.max(closedEpoch, entry.epoch());
        outstanding.put(position, new Outstanding(entry, turn.micros() + wait, wait));
        undecidedBytes += entry.weight();
        courier.tellAll(new Message.Propose(lane, ballot, position, entry, log.decidedBelow()));
    }

    void proposeAgain(int to, long position) {
        Outstanding open = outstanding.get(position);
        if (open != null) {
            courier.tellTwice(to, new Message.Propose(lane, ballot, position, open.entry, log.decidedBelow()));
        }
    }

    /** The position is decided, by whatever ballot. */
    void decided(long position, Entry entry) {
        Outstanding mine = outstanding.remove(position);
        undecidedBytes -= mine == null ? 0 : mine.entry.weight();
        boolean foreign = mine == null ? isBeyondOwn(position) : mine.entry.origin() != entry.origin();
        if (foreign && state == State.LEADING) {
            // Somebody else leads, and was heard of only by what it did. What this one says of decisions counts no
            // more: those who missed the other's proposals would take this one's for decided.
            follow();
        }
    }

    /** Whether the position is none of those that it has proposed something for, or found decided when it began. */
    private boolean isBeyondOwn(long position) {
        return position >= next;
    }

    /**
     * A snapshot covers everything below the position. What this leader has proposed there, or is yet to propose, may
     * have been decided with another value. Its word that all is decided below would make others take its proposals for
     * that.
     */
    void skipTo(long position) {
        if (state == State.LEADING
                && (position > next || !outstanding.headMap(position).isEmpty())) {
            follow();
        }
    }

    /** Resends what is not decided in time, and gives up phase 1 where it takes too long. */
    void tick() {
        long now = turn.micros();
        if (state == State.PREPARING && now - since > phase1Micros) {
            phase1Failed();
        } else if (state == State.LEADING) {
            int resent = 0;
            for (var entry : outstanding.entrySet()) {
                Outstanding open = entry.getValue();
                if (open.dueMicros <= now) {
                    open.waitMicros = Math.min(LONGEST_RESEND_MICROS, 2 * open.waitMicros);
                    open.dueMicros = now + open.waitMicros;
                    turn.sendToOthers(
                            new Message.Propose(lane, ballot, entry.getKey(), open.entry, log.decidedBelow()));
                    if (++resent == MOST_RESENT_AT_ONCE) {
                        return;
                    }
                }
            }
        }
    }

    private void phase1Failed() {
        phase1Micros = lengthened(phase1Micros);
        follow();
    }

    /** A time-out that stays the same may be too short for ever. */
    private static long lengthened(long micros) {
        return Math.min(LONGEST_PHASE1_MICROS, 2 * micros);
    }
}
