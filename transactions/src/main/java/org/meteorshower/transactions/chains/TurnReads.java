/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Cut;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.port.Effect;

/**
 * Gathers what chains look for at their turn, once each has the partitions to itself that it claims: rows whose keys
 * were computed, and those of ranges. Of a range the tables tell keys of rows that may be there; those that were
 * written since are in memory. What each row is, and whether it is there at all, its own state says. So it does not
 * matter at which place of the order the tables stand.
 */
final class TurnReads {
    /** Keys that are asked for together. */
    private static final int KEYS_TOGETHER = 64;

    private static final Cut NOWHERE = new Cut(List.of(), false);

    /** However much memory there is. */
    private static final long MOST_AT_ONCE = 64;

    /** Of what rows may take, for keys that are known. */
    private static final int PART_FOR_KEYS = 32;

    private final Consumer<? super Effect.ReadKeys> keys;
    private final RowMemory memory;
    private final KnownKeys known;

    /** So many chains gather at once: half of what rows may take is enough for them. */
    private final long mostAtOnce;

    /** Chains that have their partitions to themselves and wait until another one has gathered. */
    private final Set<Gatherer> later = new LinkedHashSet<>();

    private final Map<Gatherer, Gathering> underWay = new LinkedHashMap<>();
    private final Map<Long, Gathering> asked = new HashMap<>();
    private long request;

    /** @param keys told which keys are to be read */
    TurnReads(Consumer<? super Effect.ReadKeys> keys, RowMemory memory) {
        this.keys = keys;
        this.memory = memory;
        this.known = new KnownKeys(memory.mostBytes() / PART_FOR_KEYS);
        this.mostAtOnce = Math.max(1, Math.min(MOST_AT_ONCE, memory.mostBytes() / 2 / AtTurn.MOST_BYTES));
    }

    /**
     * Whether the chain holds what it looked for. If not it is to be asked again when rows or keys were read.
     *
     * @param anyway whether it need not wait until others have gathered
     */
    boolean gathered(Gatherer chain, boolean anyway) {
        Holdings.Missing missing = chain.missing();
        if (missing == null) {
            return true;
        }
        Gathering gathering = underWay.get(chain);
        if (gathering == null && underWay.size() >= mostAtOnce && !anyway) {
            later.add(chain);
            return false;
        } else if (gathering == null) {
            later.remove(chain);
            gathering = new Gathering(chain);
            underWay.put(chain, gathering);
        }
        return gathering.advance(missing);
    }

    /** The chain is done. Returns one that can gather now; null where none waits for that. */
    @Nullable
    Gatherer end(Gatherer chain) {
        later.remove(chain);
        Gathering gathering = underWay.remove(chain);
        if (gathering == null) {
            return null;
        }
        gathering.letGo();
        asked.values().removeIf(gathering::equals);
        return later.isEmpty() ? null : later.iterator().next();
    }

    /** Whether it has its partitions to itself, and waits until another one has gathered. */
    boolean isLater(Gatherer chain) {
        return later.contains(chain);
    }

    /** Returns the chain that waits for them; null where none does any more. */
    @Nullable
    Gatherer keysRead(long ofRequest, List<RowKey> keys, boolean more) {
        Gathering gathering = asked.remove(ofRequest);
        if (gathering == null) {
            return null;
        }
        gathering.arrived(keys, more);
        return gathering.chain;
    }

    /** Rows that a chain gathers now. */
    List<RowKey> rows(Gatherer chain) {
        Gathering gathering = underWay.get(chain);
        return gathering == null ? List.of() : gathering.rows();
    }

    /** Those that wait for something. */
    List<Gatherer> waiting() {
        return List.copyOf(underWay.keySet());
    }

    /** A chain has written a row. */
    void written(RowKey key, Row row) {
        known.isThere(key, row.exists());
    }

    /** About how many bytes of heap the keys take that are known. */
    long bytes() {
        return known.bytes();
    }

    void jump() {
        known.clear();
        later.clear();
        underWay.clear();
        asked.clear();
    }

    /**
     * Of one chain, each time that it looks: the rows, then a range after the other, a page of keys after the other.
     */
    private final class Gathering {
        private final Gatherer chain;

        /** Rows that it looked for, which it may write. */
        private final List<RowState> pinned = new ArrayList<>();

        /** What is gathered now; null where nothing is. */
        private Holdings.@Nullable Missing now;

        /** Rows that are waited for; pinned, too. */
        private final ArrayDeque<RowState> rows = new ArrayDeque<>();

        private final ArrayDeque<Range> ranges = new ArrayDeque<>();

        /** As it began to look: nobody else writes there, and what is clean then is in the tables. */
        private final Map<Range, List<RowKey>> unwritten = new HashMap<>();

        private boolean isAsked;

        /** Rows that are looked at now, from {@link #next} on; pinned, too. */
        private @Nullable List<RowState> page;

        private int next;

        /** Where the page begins in the range as it is read; null at its beginning. */
        private @Nullable Cut place;

        /** Where it ends. */
        private Cut pageEnd = NOWHERE;

        /** The last row that the tables have told, where the page ends with it and they have more; else null. */
        private @Nullable RowKey last;

        private int found;
        private long bytes;

        Gathering(Gatherer chain) {
            this.chain = chain;
        }

        boolean advance(Holdings.Missing missing) {
            if (now == null) {
                begin(missing);
            }
            if (!hasRows() || !hasRanges()) {
                return false;
            }
            now = null;
            chain.gathered(bytes);
            return true;
        }

        private void begin(Holdings.Missing missing) {
            now = missing;
            for (RowKey key : missing.rows()) {
                rows.add(pinned(key));
            }
            for (Range range : missing.ranges()) {
                ranges.add(range);
                unwritten.put(range, memory.dirty(range));
            }
        }

        private RowState pinned(RowKey key) {
            RowState state = memory.state(key);
            state.pins++;
            return state;
        }

        List<RowKey> rows() {
            List<RowKey> keys = new ArrayList<>();
            rows.forEach(state -> keys.add(state.key));
            List<RowState> told = page;
            if (told != null) {
                told.subList(next, told.size()).forEach(state -> keys.add(state.key));
            }
            return keys;
        }

        /** Absent ones are told, too: whether they are there is what was asked. */
        private boolean hasRows() {
            for (RowState state = rows.peek(); state != null; state = rows.peek()) {
                if (!state.isLoaded()) {
                    return false;
                }
                rows.remove();
                hold(state, state.newest().row());
            }
            return true;
        }

        private void hold(RowState state, Row row) {
            chain.hold(state.key, row);
            bytes += Weight.of(state.key) + Weight.of(row);
            pinned.add(state);
        }

        private boolean hasRanges() {
            for (Range range = ranges.peek(); range != null && bytes <= AtTurn.MOST_BYTES; range = ranges.peek()) {
                if (page == null && !isKnown(range)) {
                    ask(range);
                    return false;
                }
                List<RowState> told = requireNonNull(page);
                int enough = needed(range);
                while (next < told.size() && found < enough) {
                    if (!told.get(next).isLoaded()) {
                        return false;
                    }
                    take(told.get(next));
                    next++;
                }
                Cut until = next < told.size() ? range.at(told.get(next).key, range.backward()) : pageEnd;
                leavePage();
                place = until;
                if (found >= enough || until.equals(end(range))) {
                    ranges.remove();
                    place = null;
                    last = null;
                    found = 0;
                }
            }
            return true;
        }

        private static Cut start(Range range) {
            return range.backward() ? range.ends() : range.begins();
        }

        private static Cut end(Range range) {
            return range.backward() ? range.begins() : range.ends();
        }

        private Cut place(Range range) {
            return place == null ? start(range) : place;
        }

        /** Whether it is known what follows, which is then the page. */
        private boolean isKnown(Range range) {
            KnownKeys.Told told = isAsked ? null : known.from(range, place(range), needed(range) - found);
            if (told != null) {
                begin(told);
                last = null;
            }
            return told != null;
        }

        private void begin(KnownKeys.Told told) {
            List<RowState> states = new ArrayList<>();
            for (RowKey key : told.keys()) {
                states.add(pinned(key));
            }
            page = states;
            pageEnd = told.until();
            next = 0;
        }

        private void take(RowState state) {
            Row row = state.newest().row();
            if (row.exists()) {
                found++;
                hold(state, row);
            } else {
                known.isThere(state.key, false);
                state.pins--; // There may be any number of these.
            }
        }

        private void leavePage() {
            List<RowState> told = page;
            if (told != null) {
                told.subList(next, told.size()).forEach(state -> state.pins--);
                page = null;
            }
        }

        void letGo() {
            leavePage();
            rows.forEach(state -> state.pins--);
            rows.clear();
            pinned.forEach(state -> state.pins--);
            pinned.clear();
        }

        /** Enough, whichever of them the transaction deletes before it comes to the range. */
        private int needed(Range range) {
            return range.claim().rows() + others(range);
        }

        /** So many rows it may delete before. */
        private int others(Range range) {
            Touched touched = chain.touches();
            return touched.claimed(range.partition()) - range.claim().rows() + touched.named(range.partition());
        }

        private void ask(Range range) {
            if (!isAsked) {
                isAsked = true;
                asked.put(++request, this);
                keys.accept(new Effect.ReadKeys(request, memory.edition(), rest(range), last, KEYS_TOGETHER));
            }
        }

        /** What is left of the range; all of it while {@link #last} says where to go on. */
        private Range rest(Range range) {
            Cut from = place(range);
            if (last != null) {
                return range;
            }
            return range.backward() ? range.between(range.begins(), from) : range.between(from, range.ends());
        }

        private static boolean goesOn(List<RowKey> keys, boolean moreBehind) {
            return moreBehind && !keys.isEmpty();
        }

        void arrived(List<RowKey> keys, boolean moreBehind) {
            Range whole = ranges.getFirst();
            Range range = rest(whole);
            isAsked = false;
            RowKey end = goesOn(keys, moreBehind) ? keys.get(keys.size() - 1) : null;
            TreeSet<RowKey> all = new TreeSet<>(range.inOrder());
            keys.stream().filter(range::contains).forEach(all::add);
            for (RowKey key : unwritten.getOrDefault(whole, List.of())) {
                if (range.contains(key)
                        && (last == null || range.inOrder().compare(key, last) > 0)
                        && (end == null || range.inOrder().compare(key, end) <= 0)) {
                    all.add(key);
                }
            }
            Cut until = end == null ? end(whole) : whole.at(end, !whole.backward());
            Cut from = place(whole);
            known.learn(whole, whole.backward() ? until : from, whole.backward() ? from : until, all);
            KnownKeys.Told told = first(whole, all, until);
            begin(told);
            last = told.until().equals(until) ? end : null;
        }

        /** As many as may be needed. */
        private KnownKeys.Told first(Range range, Iterable<RowKey> keys, Cut until) {
            int most = needed(range) - found;
            List<RowKey> told = new ArrayList<>();
            for (RowKey key : keys) {
                if (told.size() == most) {
                    return new KnownKeys.Told(told, range.at(key, range.backward()));
                }
                told.add(key);
            }
            return new KnownKeys.Told(told, until);
        }
    }
}
