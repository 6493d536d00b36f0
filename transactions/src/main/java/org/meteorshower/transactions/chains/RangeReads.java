/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/**
 * Gathers the rows of chains' ranges, once each has its partitions to itself. The tables tell keys of rows that may be
 * there; those that were written since are in memory. What each row is, and whether it is there at all, its own state
 * says. So it does not matter at which place of the order the tables stand.
 */
final class RangeReads {
    /** Keys that are asked for together. Their rows are in memory at the same time. */
    private static final int KEYS_TOGETHER = 64;

    /**
     * More bytes of rows are not gathered: more than is taken of one range, since some of them may be deleted first.
     */
    private static final long MOST_BYTES = 2L * Range.MOST_BYTES;

    /** However much memory there is. */
    private static final long MOST_AT_ONCE = 64;

    private final Turn turn;
    private final RowMemory memory;

    /** So many chains gather at once: half of what rows may take is enough for them. */
    private final long mostAtOnce;

    /** Chains that have their partitions to themselves and wait until another one has gathered. */
    private final Set<Chain> later = new LinkedHashSet<>();

    private final Map<Chain, Gathering> underWay = new LinkedHashMap<>();
    private final Map<Long, Gathering> asked = new HashMap<>();
    private long request;

    RangeReads(Turn turn, RowMemory memory) {
        this.turn = turn;
        this.memory = memory;
        this.mostAtOnce = Math.max(1, Math.min(MOST_AT_ONCE, memory.mostBytes() / 2 / MOST_BYTES));
    }

    /** Whether the chain holds all rows of its ranges. If not it is to be asked again when rows or keys were read. */
    boolean gathered(Chain chain) {
        if (chain.ranges().isEmpty()) {
            return true;
        }
        Gathering gathering = underWay.get(chain);
        if (gathering == null && underWay.size() >= mostAtOnce) {
            later.add(chain);
            return false;
        } else if (gathering == null) {
            later.remove(chain);
            gathering = new Gathering(chain);
            underWay.put(chain, gathering);
        }
        return gathering.advance();
    }

    /** The chain is done. Returns one that can gather now; null where none waits for that. */
    @Nullable
    Chain end(Chain chain) {
        later.remove(chain);
        Gathering gathering = underWay.remove(chain);
        if (gathering == null) {
            return null;
        }
        gathering.letGo();
        return later.isEmpty() ? null : later.iterator().next();
    }

    /** Returns the chain that waits for them; null where none does any more. */
    @Nullable
    Chain keysRead(long ofRequest, List<RowKey> keys, boolean more) {
        Gathering gathering = asked.remove(ofRequest);
        if (gathering == null) {
            return null;
        }
        gathering.arrived(keys, more);
        return gathering.chain;
    }

    /** Those that wait for something. */
    List<Chain> waiting() {
        return List.copyOf(underWay.keySet());
    }

    void jump() {
        later.clear();
        underWay.clear();
        asked.clear();
    }

    /** Of one chain: a range after the other, a page of keys after the other. */
    private final class Gathering {
        private final Chain chain;

        /** Rows of its ranges, which it may write. */
        private final List<RowState> pinned = new ArrayList<>();

        /** As it had its partitions to itself: since then nobody writes there, and what is clean is in the tables. */
        private final Map<Range, List<RowKey>> unwritten = new HashMap<>();

        private int place;
        private boolean isAsked;

        /** Rows that are looked at now, from {@link #next} on; pinned, too. */
        private @Nullable List<RowState> page;

        private int next;
        private @Nullable RowKey last;
        private boolean more;
        private int found;
        private long bytes;

        Gathering(Chain chain) {
            this.chain = chain;
            chain.ranges().forEach(range -> unwritten.put(range, memory.dirty(range)));
        }

        boolean advance() {
            while (place < chain.ranges().size() && bytes <= MOST_BYTES) {
                Range range = chain.ranges().get(place);
                List<RowState> rows = page;
                if (rows == null) {
                    ask(range);
                    return false;
                }
                while (next < rows.size() && found < needed(range)) {
                    if (!rows.get(next).isLoaded()) {
                        return false;
                    }
                    take(rows.get(next));
                    next++;
                }
                leavePage();
                if (!more || found >= needed(range)) {
                    place++;
                    last = null;
                    found = 0;
                }
            }
            if (bytes > MOST_BYTES) {
                chain.tooLarge();
            }
            return true;
        }

        private void take(RowState state) {
            Row row = state.newest().row();
            if (row.exists()) {
                chain.hold(state.key, row);
                found++;
                bytes += Weight.of(state.key) + Weight.of(row);
                pinned.add(state);
            } else {
                state.pins--; // There may be any number of these.
            }
        }

        private void leavePage() {
            List<RowState> rows = page;
            if (rows != null) {
                rows.subList(next, rows.size()).forEach(state -> state.pins--);
                page = null;
            }
        }

        void letGo() {
            leavePage();
            pinned.forEach(state -> state.pins--);
            pinned.clear();
        }

        /** Enough, whichever of them the transaction deletes before it comes to the range. */
        private int needed(Range range) {
            int needed = taken(range);
            for (RowKey row : chain.rows()) {
                needed += range.isOfPartition(row) ? 1 : 0;
            }
            for (int other = 0; other < chain.ranges().size(); other++) {
                Range beside = chain.ranges().get(other);
                needed += other != place && isOfOnePartition(beside, range) ? taken(beside) : 0;
            }
            return needed;
        }

        private static boolean isOfOnePartition(Range one, Range other) {
            return PartitionQueues.Partition.of(one).equals(PartitionQueues.Partition.of(other));
        }

        private static int taken(Range range) {
            return range.most() == Range.ALL ? Range.MOST_ROWS + 1 : range.most();
        }

        private void ask(Range range) {
            if (!isAsked) {
                isAsked = true;
                asked.put(++request, this);
                int most = Math.min(KEYS_TOGETHER, needed(range) - found);
                turn.emit(new Effect.ReadKeys(request, memory.edition(), range, last, most));
            }
        }

        void arrived(List<RowKey> keys, boolean moreBehind) {
            Range range = chain.ranges().get(place);
            isAsked = false;
            more = moreBehind && !keys.isEmpty();
            RowKey end = more ? keys.get(keys.size() - 1) : null;
            TreeSet<RowKey> all = new TreeSet<>(range.inOrder());
            keys.stream().filter(range::contains).forEach(all::add);
            for (RowKey key : unwritten.getOrDefault(range, List.of())) {
                if ((last == null || range.inOrder().compare(key, last) > 0)
                        && (end == null || range.inOrder().compare(key, end) <= 0)) {
                    all.add(key);
                }
            }
            List<RowState> rows = new ArrayList<>();
            for (RowKey key : all) {
                RowState state = memory.state(key);
                state.pins++;
                rows.add(state);
            }
            page = rows;
            next = 0;
            last = end;
        }
    }
}
