/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Cut;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Weight;

/**
 * Which rows there may be in parts of some partitions, as far as execution is: what the tables have told for ranges,
 * and what was written since. So ranges of partitions that are much asked for need not ask the tables each time. What
 * is known longest without being asked for goes.
 */
final class KnownKeys {
    /** Parts of one partition that are known apart from each other. */
    private static final int MOST_PARTS = 4;

    /** Of a key among them, besides the key itself. */
    private static final int KEY_WEIGHT = 64;

    private static final int PART_WEIGHT = 512;

    /** A part of a partition, of which it is known what there is at most. */
    private static final class Part {
        private final RowOrder order;
        private Cut begin;
        private Cut end;

        /** By the place before each. */
        private final TreeMap<Cut, RowKey> keys;

        private int weight = PART_WEIGHT;

        Part(RowOrder order, Cut begin, Cut end) {
            this.order = order;
            this.begin = begin;
            this.end = end;
            this.keys = new TreeMap<>((one, other) -> one.compareTo(other, order));
        }

        int compare(Cut one, Cut other) {
            return one.compareTo(other, order);
        }

        boolean reaches(Cut place) {
            return compare(begin, place) <= 0 && compare(place, end) <= 0;
        }

        /** Where a row stands; null where it is none that has a place, or stands outside. */
        @Nullable
        Cut place(RowKey key) {
            Cut place = order.before(key);
            return place != null && compare(begin, place) <= 0 && compare(place, end) < 0 ? place : null;
        }

        void put(Cut place, RowKey key) {
            if (keys.put(place, key) == null) {
                weight += weight(key);
            }
        }

        void remove(Cut place) {
            RowKey removed = keys.remove(place);
            if (removed != null) {
                weight -= weight(removed);
            }
        }

        private static int weight(RowKey key) {
            return Weight.of(key) + KEY_WEIGHT;
        }

        /** What it and another one that touches it tell. */
        void join(Part other) {
            begin = compare(begin, other.begin) <= 0 ? begin : other.begin;
            end = compare(end, other.end) >= 0 ? end : other.end;
            other.keys.forEach(this::put);
        }
    }

    /** What follows in a range from a place on, up to another place. */
    record Told(List<RowKey> keys, Cut until) {}

    private final long mostBytes;

    /** The longest not asked for first. */
    private final Map<Partition, List<Part>> parts = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    KnownKeys(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** About how many bytes of heap it takes. */
    long bytes() {
        return bytes;
    }

    /**
     * The rows of a range from a place on, as it is read; null where nothing is known there.
     *
     * @param from where reading goes on: for a range that is read backward, downward from there
     * @param most as many, at most
     */
    @Nullable
    Told from(Range range, Cut from, int most) {
        List<Part> its = parts.get(range.partition());
        if (its == null) {
            return null;
        }
        for (Part part : its) {
            Cut until = range.backward() ? part.begin : part.end;
            if (part.order.equals(range.order()) && part.reaches(from) && part.compare(until, from) != 0) {
                return range.backward() ? backward(part, range, from, most) : forward(part, range, from, most);
            }
        }
        return null;
    }

    private static Told forward(Part part, Range range, Cut from, int most) {
        Cut end = part.compare(part.end, range.ends()) < 0 ? part.end : range.ends();
        if (part.compare(from, end) >= 0) {
            return new Told(List.of(), end);
        }
        return told(part.keys.subMap(from, true, end, false), end, false, most);
    }

    private static Told backward(Part part, Range range, Cut from, int most) {
        Cut begin = part.compare(part.begin, range.begins()) > 0 ? part.begin : range.begins();
        if (part.compare(begin, from) >= 0) {
            return new Told(List.of(), begin);
        }
        return told(part.keys.subMap(begin, true, from, false).descendingMap(), begin, true, most);
    }

    private static Told told(NavigableMap<Cut, RowKey> keys, Cut end, boolean backward, int most) {
        List<RowKey> told = new ArrayList<>();
        Cut until = end;
        for (Map.Entry<Cut, RowKey> each : keys.entrySet()) {
            if (told.size() == most) {
                until = new Cut(each.getKey().values(), backward); // this one comes next
                break;
            }
            told.add(each.getValue());
        }
        return new Told(told, until);
    }

    /** Between these places of a range's partition there are no other rows than these, of which some may be absent. */
    void learn(Range range, Cut begin, Cut end, Collection<RowKey> keys) {
        Part learned = new Part(range.order(), begin, end);
        if (learned.compare(begin, end) >= 0) {
            return;
        }
        for (RowKey key : keys) {
            Cut place = learned.place(key);
            if (place != null) {
                learned.put(place, key);
            }
        }
        List<Part> its = parts.computeIfAbsent(range.partition(), added -> new ArrayList<>());
        for (Iterator<Part> all = its.iterator(); all.hasNext(); ) {
            Part part = all.next();
            if (!part.order.equals(learned.order)) { // of another table that had this name
                bytes -= part.weight;
                all.remove();
            } else if (part.reaches(begin) || part.reaches(end) || learned.reaches(part.begin)) {
                learned.join(part);
                bytes -= part.weight;
                all.remove();
            }
        }
        its.add(learned);
        bytes += learned.weight;
        if (its.size() > MOST_PARTS) {
            bytes -= its.remove(0).weight;
        }
        letGo();
    }

    private void letGo() {
        for (Iterator<List<Part>> all = parts.values().iterator(); bytes > mostBytes && all.hasNext(); ) {
            all.next().forEach(part -> bytes -= part.weight);
            all.remove();
        }
    }

    /** Whether a row is there that was written, or looked at. */
    void isThere(RowKey key, boolean exists) {
        Partition partition = parts.isEmpty() ? null : Partition.of(key);
        if (partition == null || !parts.containsKey(partition)) {
            return;
        }
        for (Part part : parts.getOrDefault(partition, List.of())) {
            Cut place = part.place(key);
            if (place != null) {
                bytes -= part.weight;
                if (exists) {
                    part.put(place, key);
                } else {
                    part.remove(place);
                }
                bytes += part.weight;
            }
        }
        letGo();
    }

    void clear() {
        parts.clear();
        bytes = 0;
    }
}
