/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Some of a partition's rows, in their order: which ones there are is known when the transaction runs. It has the whole
 * partition to itself then, so that no row comes or goes beside it.
 *
 * @param from the first, in the order of the columns, whichever way it is read
 * @param to the last
 * @param backward whether it is read from the last to the first
 * @param most as many are taken; {@link #ALL} for all, and then there must not be more than {@link #MOST_ROWS}, or
 *     {@link #MANY}
 */
public record Range(Partition partition, RowOrder order, Edge from, Edge to, boolean backward, int most)
        implements Span {
    /** The limit of a range that has none. */
    public static final int ALL = 0;

    /** The limit of one that is deleted, and may have up to {@link #MOST_DELETED} rows. */
    public static final int MANY = -1;

    /** A range with more rows fails the transaction. */
    public static final int MOST_ROWS = 500;

    /** The same of one that is deleted as {@link #MANY}. */
    public static final int MOST_DELETED = 5_000;

    /** One whose rows weigh more on the heap, too. */
    public static final int MOST_BYTES = 4 << 20;

    /** Why one is not taken. */
    public static final String TOO_LARGE = "a range of more than " + MOST_ROWS + " rows, or " + (MOST_BYTES >> 20)
            + " MiB: take a part of it (LIMIT), and go on behind its last row";

    private static final String TOO_MANY = "a range of more than " + MOST_DELETED + " rows, or " + (MOST_BYTES >> 20)
            + " MiB, that is to be deleted: delete a part of it, and then the others";

    public Range {
        requireFew(most);
        order.requireFew(from.values.size());
        order.requireFew(to.values.size());
        requireKinds(order, from);
        requireKinds(order, to);
    }

    static void requireFew(int most) {
        if (most < MANY || most > MOST_ROWS) {
            throw new IllegalArgumentException(
                    "a range of " + most + " rows; at most " + MOST_ROWS + " are taken in one statement");
        }
    }

    private static void requireKinds(RowOrder order, Edge edge) {
        for (int i = 0; i < edge.values.size(); i++) {
            Kind kind = order.columns().get(i).kind();
            Value.Typed value = edge.values.get(i);
            if (value.kind() != kind || !RowOrder.isValue(kind, value.bytes().size())) {
                throw new IllegalArgumentException(
                        "a range's edge has " + edge.values.get(i) + " where rows have " + kind);
            }
        }
    }

    /**
     * Where a range begins or ends.
     *
     * @param values of the first columns, as many as there are; none leaves it open
     * @param included whether rows that have these values are in it
     */
    public record Edge(List<Value.Typed> values, boolean included) {
        public static final Edge OPEN = new Edge(List.of(), true);

        public Edge {
            values = List.copyOf(values);
        }
    }

    @Override
    public Range many() {
        return new Range(partition, order, from, to, backward, MANY);
    }

    @Override
    public Range all() {
        return new Range(partition, order, from, to, backward, ALL);
    }

    @Override
    public boolean isRow() {
        return from.equals(to) && from.included && order.isWhole(from.values.size());
    }

    /** The only row that may be in it. To be asked where it {@linkplain #isRow names one}. */
    RowKey row() {
        return order.key(partition, from.values);
    }

    @Override
    public void addRows(Set<RowKey> rows) {}

    /** Where it begins, in the order of the columns. */
    public Cut begins() {
        return new Cut(from.values, !from.included);
    }

    /** Where it ends. */
    public Cut ends() {
        return new Cut(to.values, to.included);
    }

    /** The place before or behind a row of the partition that has a place in its order. */
    public Cut at(RowKey key, boolean behind) {
        return new Cut(values(key), behind);
    }

    /** The same between other bounds. */
    public Range between(Cut begin, Cut end) {
        return new Range(
                partition,
                order,
                new Edge(begin.values(), !begin.behind()),
                new Edge(end.values(), end.behind()),
                backward,
                most);
    }

    /** Whether it names a row that may be in it. */
    public boolean contains(RowKey key) {
        return partition.contains(key) && isWithin(order.read(key));
    }

    private boolean isWithin(@Nullable List<Value.Typed> values) {
        if (values == null) {
            return false;
        }
        int first = order.compare(values, from.values);
        int last = order.compare(values, to.values);
        return (from.included ? first >= 0 : first > 0) && (to.included ? last <= 0 : last < 0);
    }

    /** Of the rows in it, as it is read. Others must not be compared. */
    public Comparator<RowKey> inOrder() {
        Comparator<RowKey> forward = (left, right) -> order.compare(values(left), values(right));
        return (backward ? forward.reversed() : forward).thenComparing(Comparator.naturalOrder());
    }

    /** What a row in it is ordered by, as values elsewhere are. */
    List<Value> told(RowKey key) {
        List<Value> told = new ArrayList<>();
        for (Value.Typed value : values(key)) {
            told.add(value.kind() == Kind.UUID ? new Value.Typed(Kind.OTHER, value.bytes()) : value);
        }
        return told;
    }

    /** What a row in it is ordered by, a value for each column. */
    List<Value.Typed> values(RowKey key) {
        List<Value.Typed> values = order.read(key);
        if (values == null) {
            throw new IllegalArgumentException(key + " has no place in the order of " + this);
        }
        return values;
    }

    /**
     * The rows that it means.
     *
     * @param rows among others all of the partition that it could mean
     * @throws UnsatisfiedException if they are more than can be taken
     */
    SortedMap<RowKey, Row> of(SortedMap<RowKey, Row> rows) {
        TreeMap<RowKey, Row> found = new TreeMap<>(inOrder());
        partition.part(rows).forEach((key, row) -> {
            if (row.exists() && contains(key)) {
                found.put(key, row);
            }
        });
        List<RowKey> taken = new ArrayList<>(found.keySet());
        if (most > ALL && taken.size() > most) {
            found.tailMap(taken.get(most)).clear();
        }
        long bytes = found.entrySet().stream().mapToLong(Range::weight).sum();
        if (found.size() > (most == MANY ? MOST_DELETED : MOST_ROWS) || bytes > MOST_BYTES) {
            throw most == MANY ? new UnsatisfiedException(Outcome.Reason.ERROR, TOO_MANY) : tooLarge();
        }
        return found;
    }

    private static long weight(Map.Entry<RowKey, Row> row) {
        return (long) Weight.of(row.getKey()) + Weight.of(row.getValue());
    }

    static UnsatisfiedException tooLarge() {
        return new UnsatisfiedException(Outcome.Reason.ERROR, TOO_LARGE);
    }

    @Override
    public int weight() {
        int bytes = Weight.OBJECT * 4 + partition.weight() + order.weight();
        for (Edge edge : List.of(from, to)) {
            for (Value value : edge.values) {
                bytes += Weight.of(value);
            }
        }
        return bytes;
    }
}
