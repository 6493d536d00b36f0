/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Members;

/**
 * One lane as this data centre has learned it: what was proposed for each position, who accepted it, and what is
 * decided. Of the decided entries it holds the last ones: those before are in the log on disk.
 */
public final class LaneLog {
    /** Positions so far ahead are not noted: they will be fetched. */
    static final long MOST_AHEAD = 20_000;

    /** Of a position, besides its entry. */
    private static final int SLOT_WEIGHT = 144;

    /** Hears of each position once, when it becomes decided; not in order. */
    public interface Listener {
        void decided(int lane, long position, Entry entry);
    }

    private static final class Slot {
        private @Nullable Entry decided;
        private long ballot = Ballot.NONE;
        private long chosenUnder = Ballot.NONE;
        private @Nullable Entry proposal;
        private final Votes votes = new Votes();

        int weight() {
            Entry held = decided == null ? proposal : decided;
            return SLOT_WEIGHT + (held == null ? 0 : held.weight());
        }
    }

    private final int lane;
    private final Members members;
    private final Listener listener;
    private final Positions<Slot> slots;
    private final DecidedBytes decidedBytes;

    /** Positions below it are not held. */
    private long start;

    /** All positions below it are decided. start <= decidedBelow. */
    private long decidedBelow;

    /** Of all slots. */
    private long weight;

    /** The highest of an entry that was decided since the process began. */
    private long decidedEpoch;

    /** @param start the first position that is held: those below are settled */
    public LaneLog(int lane, Members members, long start, Listener listener) {
        this.lane = lane;
        this.members = members;
        this.start = start;
        this.decidedBelow = start;
        this.slots = new Positions<>(start);
        this.decidedBytes = new DecidedBytes(start);
        this.listener = listener;
    }

    /** The first position that is not known to be decided. */
    public long decidedBelow() {
        return decidedBelow;
    }

    /** Below it positions are not held any more, but in the log on disk or in nobody's need. */
    public long start() {
        return start;
    }

    long decidedEpoch() {
        return decidedEpoch;
    }

    /** About how many bytes of heap it takes. */
    public long weight() {
        return weight;
    }

    /** About how many bytes of heap the positions from one on take, up to another. */
    long weight(long from, long below) {
        long bytes = 0;
        for (long position = Math.max(from, start); position < Math.min(below, slots.end()); position++) {
            Slot slot = slots.get(position);
            bytes += slot == null ? 0 : slot.weight();
        }
        return bytes;
    }

    /** How much was decided since the process began, in bytes. */
    public long decidedBytes() {
        return decidedBytes.total();
    }

    /** How much was decided from a position on, in bytes; as far as that is remembered. */
    public long decidedBytesFrom(long position) {
        return decidedBytes.from(position);
    }

    /** The position after the last one known to be decided. */
    public long endOfDecided() {
        long end = Math.max(decidedBelow, slots.end());
        while (end > decidedBelow && decided(end - 1) == null) {
            end--;
        }
        return end;
    }

    /**
     * Whether something was proposed beyond the first position that is not decided, and there nothing, as far as is
     * known.
     */
    public boolean lacksProposal() {
        Slot slot = slots.get(decidedBelow);
        return decidedBelow < slots.end() && (slot == null || (slot.proposal == null && slot.decided == null));
    }

    /** The position, or the one next to it from which all that follows is held and all before is decided. */
    long decidedFrom(long position) {
        return Math.max(start, Math.min(position, decidedBelow));
    }

    /** The decided entry; null where none is known, or it is not held any more. */
    public @Nullable Entry decided(long position) {
        Slot slot = slots.get(position);
        return slot == null ? null : slot.decided;
    }

    /**
     * A ballot under which a majority is known to have accepted what is decided there; {@link Ballot#NONE} where that
     * is known by somebody's word only, or the position is not held any more.
     */
    long chosenUnder(long position) {
        Slot slot = slots.get(position);
        return slot == null ? Ballot.NONE : slot.chosenUnder;
    }

    /** The ballot's proposer proposes this. */
    void proposed(long ballot, long position, Entry entry) {
        Slot slot = open(position);
        if (slot != null && ballot > slot.ballot) {
            weight -= slot.weight();
            slot.ballot = ballot;
            slot.proposal = entry;
            weight += slot.weight();
            settle(position, slot);
        }
    }

    /** An acceptor has durably accepted what the ballot's proposer proposed. */
    void accepted(int dc, long ballot, long position) {
        Slot slot = open(position);
        if (slot != null) {
            slot.votes.add(ballot, dc);
            settle(position, slot);
        }
    }

    /**
     * The ballot's proposer knows all positions below this one to be decided: with what it proposed, where it proposed.
     */
    void decidedBelow(long ballot, long below) {
        for (long position = decidedBelow; position < below; position = Math.max(position + 1, decidedBelow)) {
            Slot slot = slots.get(position);
            Entry proposal = slot == null ? null : slot.proposal;
            if (slot != null && slot.decided != null) {
                continue;
            } else if (slot == null || slot.ballot != ballot || proposal == null) {
                return;
            }
            decide(position, slot, proposal);
        }
    }

    /** Told by who knows. */
    void learn(long position, Entry entry) {
        Slot slot = open(position);
        if (slot != null) {
            decide(position, slot, entry);
        } else {
            Entry known = decided(position);
            if (known != null) {
                requireSame(position, known, entry);
            }
        }
    }

    /** Votes of a disk that was lost do not count any more. */
    void forgetVotesOf(int dc) {
        slots.forEach(slot -> slot.votes.forget(dc));
    }

    /**
     * Lets go, from the first one on, what is settled: what is executed as long as more than {@code keep} bytes are
     * held, what is not as long as more than {@code most} are.
     */
    void letGo(long settledBelow, long executedBelow, long keep, long most) {
        while (start < Math.min(settledBelow, decidedBelow) && weight > (start < executedBelow ? keep : most)) {
            drop(start + 1);
        }
    }

    private void drop(long below) {
        for (; start < below; start++) {
            Slot slot = slots.get(start);
            weight -= slot == null ? 0 : slot.weight();
            slots.dropBelow(start + 1);
        }
    }

    /** A snapshot covers everything below the position. */
    void skipTo(long position) {
        if (position > decidedBelow) {
            decidedBelow = position;
            decidedBytes.skipTo(position);
            dropAll(position);
            advance();
        } else {
            drop(position);
        }
    }

    private void dropAll(long below) {
        drop(Math.min(below, Math.max(start, slots.end())));
        start = below;
        slots.dropBelow(below);
    }

    /**
     * Decided entries without a gap from a position on, of about so many bytes; null where they are not held any more.
     */
    public @Nullable List<Entry> entriesFrom(long from, int bytes) {
        if (from < start) {
            return null;
        }
        List<Entry> entries = new ArrayList<>();
        long taken = 0;
        for (long position = from; position < decidedBelow && taken < bytes; position++) {
            Entry entry = decided(position);
            if (entry == null) {
                return null;
            }
            entries.add(entry);
            taken += entry.weight();
        }
        return entries;
    }

    /** The slot of a position that is not decided yet and not too far ahead; else null. */
    private @Nullable Slot open(long position) {
        if (position < decidedBelow || position > decidedBelow + MOST_AHEAD) {
            return null;
        }
        Slot slot = slots.get(position);
        if (slot == null) {
            slot = new Slot();
            slots.put(position, slot);
            weight += slot.weight();
        }
        return slot.decided == null ? slot : null;
    }

    private void settle(long position, Slot slot) {
        Entry proposal = slot.proposal;
        if (proposal != null && slot.votes.of(slot.ballot) >= members.majority()) {
            slot.chosenUnder = slot.ballot;
            decide(position, slot, proposal);
        }
    }

    private void decide(long position, Slot slot, Entry entry) {
        Entry known = slot.decided;
        if (known != null) {
            requireSame(position, known, entry);
            return;
        }
        weight -= slot.weight();
        slot.decided = entry;
        decidedEpoch = Math.max(decidedEpoch, entry.epoch());
        slot.proposal = null;
        slot.votes.clear();
        weight += slot.weight();
        advance();
        listener.decided(lane, position, entry);
    }

    private void advance() {
        for (Entry entry = decided(decidedBelow); entry != null; entry = decided(decidedBelow)) {
            decidedBelow++;
            decidedBytes.add(entry.weight());
        }
    }

    private void requireSame(long position, Entry known, Entry told) {
        if (known.origin() != told.origin()) {
            throw new IllegalStateException(
                    "lane " + lane + " has two decisions for position " + position + ": one first"
                            + " proposed under " + Ballot.describe(known.origin()) + ", the other under "
                            + Ballot.describe(told.origin()));
        }
    }
}
