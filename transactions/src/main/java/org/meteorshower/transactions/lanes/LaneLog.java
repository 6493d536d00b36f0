/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Members;

/** One lane as this data centre has learned it: what was proposed for each position, who accepted it, and what is decided. */
public final class LaneLog {
    /** Positions so far ahead are not noted: they will be fetched. */
    private static final long MOST_AHEAD = 20_000;

    /** Hears of each position once, when it becomes decided; not in order. */
    public interface Listener {
        void decided(int lane, long position, Entry entry);
    }

    private static final class Slot {
        private @Nullable Entry decided;
        private long ballot = Ballot.NONE;
        private @Nullable Entry proposal;
        private final Votes votes = new Votes();
    }

    private final int lane;
    private final Members members;
    private final Listener listener;
    private final Positions<Slot> slots;

    /** Positions below it are not kept. */
    private long start;

    /** All positions below it are decided. start <= decidedBelow. */
    private long decidedBelow;

    /** @param start the first position that matters: those below are executed durably */
    public LaneLog(int lane, Members members, long start, Listener listener) {
        this.lane = lane;
        this.members = members;
        this.start = start;
        this.decidedBelow = start;
        this.slots = new Positions<>(start);
        this.listener = listener;
    }

    /** The first position that is not known to be decided. */
    public long decidedBelow() {
        return decidedBelow;
    }

    /** The position after the last one known to be decided. */
    public long endOfDecided() {
        long end = Math.max(decidedBelow, slots.end());
        while (end > decidedBelow && decided(end - 1) == null) {
            end--;
        }
        return end;
    }

    /** The decided entry; null where none is known, or it is not kept any more. */
    public @Nullable Entry decided(long position) {
        Slot slot = slots.get(position);
        return slot == null ? null : slot.decided;
    }

    /** The ballot's proposer proposes this. */
    void proposed(long ballot, long position, Entry entry) {
        Slot slot = open(position);
        if (slot != null && ballot > slot.ballot) {
            slot.ballot = ballot;
            slot.proposal = entry;
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

    /** The ballot's proposer knows all positions below this one to be decided: with what it proposed, where it proposed. */
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

    /** Entries below the position are not needed any more. */
    void forget(long below) {
        start = Math.max(start, Math.min(below, decidedBelow));
        slots.dropBelow(start);
    }

    /** A snapshot covers everything below the position. */
    void skipTo(long position) {
        if (position > decidedBelow) {
            decidedBelow = position;
            advance();
        }
        forget(position);
    }

    /** Decided entries without a gap from a position on, at most so many; null where they are not kept any more. */
    public @Nullable List<Entry> entriesFrom(long from, int most) {
        if (from < start) {
            return null;
        }
        List<Entry> entries = new ArrayList<>();
        for (long position = from; position < decidedBelow && entries.size() < most; position++) {
            Entry entry = decided(position);
            if (entry == null) {
                return null;
            }
            entries.add(entry);
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
        }
        return slot.decided == null ? slot : null;
    }

    private void settle(long position, Slot slot) {
        Entry proposal = slot.proposal;
        if (proposal != null && slot.votes.of(slot.ballot) >= members.majority()) {
            decide(position, slot, proposal);
        }
    }

    private void decide(long position, Slot slot, Entry entry) {
        Entry known = slot.decided;
        if (known != null) {
            requireSame(position, known, entry);
            return;
        }
        slot.decided = entry;
        slot.proposal = null;
        slot.votes.clear();
        advance();
        listener.decided(lane, position, entry);
    }

    private void advance() {
        while (decided(decidedBelow) != null) {
            decidedBelow++;
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
