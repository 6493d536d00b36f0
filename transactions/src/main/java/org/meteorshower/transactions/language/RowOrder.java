/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In which order the rows of a partition stand, and how their keys say what they are ordered by. It comes with the
 * transaction, so that it is the same in all data centres, whatever they know of the table.
 *
 * @param columns the clustering columns
 */
public record RowOrder(List<Column> columns) {
    /** Tables with more clustering columns have no order here. */
    public static final int MOST_COLUMNS = 32;

    private static final int BITS_PER_COLUMN = 2;
    private static final int EMPTY = 1;

    /** Cassandra's limit. */
    private static final int MOST_VALUE_BYTES = 65_535;

    /** Between the partition and the row within it. */
    private static final char SEPARATOR = '.';

    public RowOrder {
        columns = List.copyOf(columns);
        if (columns.isEmpty() || columns.size() > MOST_COLUMNS) {
            throw new IllegalArgumentException("an order by " + columns.size() + " columns");
        }
    }

    /**
     * A clustering column.
     *
     * @param fixedBytes that each value takes; {@link #VARIABLE} where it is written how many
     */
    public record Column(Kind kind, int fixedBytes, boolean descending) {
        public static final int VARIABLE = -1;

        public Column {
            if (!kind.isOrdered()) {
                throw new IllegalArgumentException("values of kind " + kind + " have no order");
            } else if (fixedBytes < VARIABLE || fixedBytes == 0) {
                throw new IllegalArgumentException("values of " + fixedBytes + " bytes");
            }
        }
    }

    /** The part of a key that rows of one partition share; null where the key has none. */
    public static @Nullable String partition(RowKey key) {
        int end = key.key().indexOf(SEPARATOR);
        return end < 0 ? null : key.key().substring(0, end);
    }

    /** What the keys of a partition's rows begin with. */
    static String prefix(String partition) {
        return partition + SEPARATOR;
    }

    /** What no key of the partition's rows is behind. */
    static String end(String partition) {
        return partition + (char) (SEPARATOR + 1);
    }

    /**
     * What a row is ordered by, a value for each column; null where the key names no such row: the partition's static
     * columns, or what does not fit.
     */
    @Nullable
    List<Value.Typed> read(RowKey key) {
        try {
            return values(HexFormat.of()
                    .parseHex(
                            key.key(),
                            key.key().indexOf(SEPARATOR) + 1,
                            key.key().length()));
        } catch (IllegalArgumentException e) {
            return null; // no digits: static columns
        }
    }

    /** The place before a row; null where the key names none that has a place. */
    public @Nullable Cut before(RowKey key) {
        List<Value.Typed> values = read(key);
        return values == null ? null : new Cut(values, false);
    }

    /** As Cassandra writes a clustering: which values are empty, then the others. Null where it is none. */
    private @Nullable List<Value.Typed> values(byte[] bytes) {
        KeyReader in = new KeyReader(bytes);
        long header = in.varint();
        List<Value.Typed> values = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            long state = header >>> (BITS_PER_COLUMN * i) & 3;
            if (state > EMPTY) {
                return null;
            }
            long size = state == EMPTY ? 0 : column.fixedBytes == Column.VARIABLE ? in.varint() : column.fixedBytes;
            Bytes value = in.take(size);
            if (value == null || !isValue(column.kind, value.size())) {
                return null;
            }
            values.add(new Value.Typed(column.kind, value));
        }
        return in.isAtEnd() ? values : null;
    }

    /** Whether a value of so many bytes can be compared with others of its kind; without bytes it comes before all. */
    static boolean isValue(Kind kind, int bytes) {
        return bytes == 0
                || switch (kind) {
                    case TINYINT -> bytes == 1;
                    case SMALLINT -> bytes == 2;
                    case INT, FLOAT -> bytes == 4;
                    case BIGINT, DOUBLE, TIMESTAMP -> bytes == 8;
                    case TIMEUUID, UUID -> bytes == 16;
                    case DECIMAL -> bytes > 4;
                    default -> true;
                };
    }

    /** Whether so many values name a row. */
    boolean isWhole(int values) {
        return values == columns.size();
    }

    void requireFew(int values) {
        if (values > columns.size()) {
            throw new IllegalArgumentException("a range's edge has more values than the rows' order has columns");
        }
    }

    /**
     * A computed value as one of the column at this place, written as keys are.
     *
     * @throws UnsatisfiedException if it is none
     */
    Value.Typed value(int place, Value value) {
        Column column = columns.get(place);
        if (!(value instanceof Value.Typed typed)
                || !(typed.kind() == column.kind || (typed.kind() == Kind.OTHER && column.kind == Kind.UUID))) {
            throw Expressions.error("a row's key was computed as " + value + ", and rows have " + column.kind);
        }
        Value.Typed written = Numbers.canonical(new Value.Typed(column.kind, typed.bytes()));
        int size = written.bytes().size();
        if (size > MOST_VALUE_BYTES) {
            throw Expressions.error("a row's key was computed with a value of " + size + " bytes; at most "
                    + MOST_VALUE_BYTES + " are taken");
        } else if (!isValue(column.kind, size) || (size != 0 && column.fixedBytes > 0 && size != column.fixedBytes)) {
            throw Expressions.error("a row's key was computed as " + written + ", which is no " + column.kind);
        }
        return written;
    }

    /** The key of a row: what {@link #read} reads. */
    RowKey key(Partition partition, List<Value.Typed> values) {
        KeyWriter out = new KeyWriter(prefix(partition.partition()));
        long header = 0;
        for (int i = 0; i < values.size(); i++) {
            header |= values.get(i).bytes().size() == 0 ? (long) EMPTY << (BITS_PER_COLUMN * i) : 0;
        }
        out.varint(header);
        for (int i = 0; i < values.size(); i++) {
            byte[] value = values.get(i).bytes().toArray();
            if (value.length > 0 && columns.get(i).fixedBytes == Column.VARIABLE) {
                out.varint(value.length);
            }
            out.bytes(value);
        }
        return new RowKey(partition.table(), out.toString());
    }

    int weight() {
        return Weight.OBJECT * columns.size();
    }

    /** Of as many columns as both have. */
    int compare(List<Value.Typed> left, List<Value.Typed> right) {
        int most = Math.min(left.size(), right.size());
        for (int i = 0; i < most; i++) {
            int order = Order.of(left.get(i), right.get(i));
            if (order != 0) {
                return columns.get(i).descending ? -order : order;
            }
        }
        return 0;
    }
}
