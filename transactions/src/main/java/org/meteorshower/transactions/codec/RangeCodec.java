/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;

/** Ranges of rows as bytes. Stateless. */
final class RangeCodec {
    private static final int LEAST_COLUMN_BYTES = 3;

    private RangeCodec() {}

    static void write(Range range, DataOut out) {
        out.text(range.table()).text(range.partition());
        out.varint(range.order().columns().size());
        for (RowOrder.Column column : range.order().columns()) {
            out.u8(column.kind().code()).signed(column.fixedBytes()).bool(column.descending());
        }
        write(range.from(), out);
        write(range.to(), out);
        out.bool(range.backward()).varint(range.most());
    }

    private static void write(Range.Edge edge, DataOut out) {
        out.varint(edge.values().size());
        for (Value.Typed value : edge.values()) {
            ValueCodec.write(value, out, 0);
        }
        out.bool(edge.included());
    }

    static Range read(DataIn in) throws BadDataException {
        String table = in.text("a table's name");
        String partition = in.text("a partition's key");
        int count = in.count("columns", LEAST_COLUMN_BYTES);
        List<RowOrder.Column> columns = new ArrayList<>(Math.min(count, 16));
        try {
            for (int i = 0; i < count; i++) {
                columns.add(new RowOrder.Column(ExpressionCodec.kind(in), fixedBytes(in), in.bool()));
            }
            return new Range(
                    table,
                    partition,
                    new RowOrder(columns),
                    readEdge(in),
                    readEdge(in),
                    in.bool(),
                    in.number("a limit", Range.MOST_ROWS));
        } catch (IllegalArgumentException e) {
            throw new BadDataException(String.valueOf(e.getMessage()));
        }
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
