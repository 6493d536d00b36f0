/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;

/** Ranges of rows as bytes. Stateless. */
final class RangeCodec {
    private static final int LEAST_COLUMN_BYTES = 3;

    private RangeCodec() {}

    static void write(Range range, DataOut out) {
        write(range.partition(), range.order(), out);
        write(range.from(), out);
        write(range.to(), out);
        out.bool(range.backward()).varint(range.most());
    }

    /** Where its rows are: the table, the partition, and how its rows stand. */
    static void write(Partition partition, RowOrder order, DataOut out) {
        out.text(partition.table()).text(partition.partition());
        out.varint(order.columns().size());
        for (RowOrder.Column column : order.columns()) {
            out.u8(column.kind().code()).signed(column.fixedBytes()).bool(column.descending());
        }
    }

    private static void write(Range.Edge edge, DataOut out) {
        out.varint(edge.values().size());
        for (Value.Typed value : edge.values()) {
            ValueCodec.write(value, out, 0);
        }
        out.bool(edge.included());
    }

    static Range read(DataIn in) throws BadDataException {
        Partition partition = readPartition(in);
        RowOrder order = readOrder(in);
        Range.Edge from = readEdge(in);
        Range.Edge to = readEdge(in);
        boolean backward = in.bool();
        int most = in.number("a limit", Range.MOST_ROWS);
        return made(() -> new Range(partition, order, from, to, backward, most));
    }

    /** What {@link LanguageWriter} writes of one. */
    static ComputedRange readComputed(DataIn in, int depth) throws BadDataException {
        Partition partition = readPartition(in);
        RowOrder order = readOrder(in);
        ComputedRange.Edge from = new ComputedRange.Edge(readValues(in, depth), in.bool());
        ComputedRange.Edge to = new ComputedRange.Edge(readValues(in, depth), in.bool());
        boolean backward = in.bool();
        int most = in.number("a limit", Range.MOST_ROWS);
        return made(() -> new ComputedRange(partition, order, from, to, backward, most));
    }

    static ComputedRow readRow(DataIn in, int depth) throws BadDataException {
        Partition partition = readPartition(in);
        RowOrder order = readOrder(in);
        List<Expression> values = readValues(in, depth);
        return made(() -> new ComputedRow(partition, order, values));
    }

    private static Partition readPartition(DataIn in) throws BadDataException {
        return new Partition(in.text("a table's name"), in.text("a partition's key"));
    }

    private static RowOrder readOrder(DataIn in) throws BadDataException {
        int count = in.count("columns", LEAST_COLUMN_BYTES);
        List<RowOrder.Column> columns = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            Kind kind = ExpressionCodec.kind(in);
            int fixedBytes = fixedBytes(in);
            boolean descending = in.bool();
            columns.add(made(() -> new RowOrder.Column(kind, fixedBytes, descending)));
        }
        return made(() -> new RowOrder(columns));
    }

    private static <T> T made(Supplier<T> maker) throws BadDataException {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new BadDataException(String.valueOf(e.getMessage()));
        }
    }

    private static List<Expression> readValues(DataIn in, int depth) throws BadDataException {
        int count = in.count("values", 1);
        List<Expression> values = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            values.add(ExpressionCodec.read(in, depth));
        }
        return values;
    }

    private static int fixedBytes(DataIn in) throws BadDataException {
        long bytes = in.signed();
        if (bytes < RowOrder.Column.VARIABLE || bytes > Short.MAX_VALUE) {
            throw new BadDataException("values of " + bytes + " bytes");
        }
        return (int) bytes;
    }

    private static Range.Edge readEdge(DataIn in) throws BadDataException {
        int count = in.count("values", 2);
        List<Value.Typed> values = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            if (!(ValueCodec.read(in, 0) instanceof Value.Typed value)) {
                throw new BadDataException("a range's edge is no value of a column");
            }
            values.add(value);
        }
        return new Range.Edge(values, in.bool());
    }
}
