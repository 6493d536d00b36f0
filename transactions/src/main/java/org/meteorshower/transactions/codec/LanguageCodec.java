/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/** Transactions, rows and values as bytes. What is read is bounded in nesting, and in size by its input. Stateless. */
public final class LanguageCodec {
    /** Deeper nesting is neither written nor read. */
    public static final int MOST_NESTED = 64;

    private static final int LEAST_COLUMN_BYTES = 2;

    private LanguageCodec() {}

    /** @throws IllegalArgumentException if it is nested too deep */
    public static void write(Transaction transaction, DataOut out) {
        LanguageWriter writer = new LanguageWriter(out);
        out.varint(transaction.asserts().size());
        for (Expression assertion : transaction.asserts()) {
            writer.write(assertion);
        }
        writer.write(transaction.body());
    }

    public static Transaction readTransaction(DataIn in) throws BadDataException {
        int count = in.count("asserts", 1);
        requireFew(count);
        List<Expression> asserts = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            asserts.add(ExpressionCodec.read(in, 0));
        }
        List<Statement> body = StatementCodec.readAll(in, 0);
        requireFew(body.size());
        try {
            return new Transaction(asserts, body);
        } catch (IllegalArgumentException e) {
            throw new BadDataException(String.valueOf(e.getMessage()));
        }
    }

    /** Also one of which {@linkplain Range#MANY many} rows are deleted. */
    public static void write(Range range, DataOut out) {
        boolean many = range.most() == Range.MANY;
        RangeCodec.write(many ? range.all() : range, out.bool(many));
    }

    public static Range readRange(DataIn in) throws BadDataException {
        boolean many = in.bool();
        Range range = RangeCodec.read(in);
        if (many && range.most() != Range.ALL) {
            throw new BadDataException("a range of many rows that has a limit");
        }
        return many ? range.many() : range;
    }

    public static void write(Row row, DataOut out) {
        out.varint(row.columns().size());
        row.columns().forEach((column, value) -> {
            out.text(column);
            write(value, out);
        });
    }

    public static Row readRow(DataIn in) throws BadDataException {
        int count = in.count("columns", LEAST_COLUMN_BYTES);
        SortedMap<String, Value> columns = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String column = in.text("a column's name");
            Value value = readValue(in);
            if (value.equals(Value.NOTHING)) {
                throw new BadDataException("column " + column + " holds nothing");
            }
            columns.put(column, value);
        }
        return new Row(columns);
    }

    public static void write(RowKey key, DataOut out) {
        out.text(key.table()).text(key.key());
    }

    public static RowKey readRowKey(DataIn in) throws BadDataException {
        return new RowKey(in.text("a table's name"), in.text("a row's key"));
    }

    /** @throws IllegalArgumentException if it is nested too deep */
    public static void write(Value value, DataOut out) {
        ValueCodec.write(value, out, 0);
    }

    public static Value readValue(DataIn in) throws BadDataException {
        return ValueCodec.read(in, 0);
    }

    private static void requireFew(int statements) throws BadDataException {
        if (statements > Transaction.MOST_STATEMENTS) {
            throw new BadDataException("a transaction of " + statements + " statements");
        }
    }

    static void requireShallow(int depth) {
        if (depth > MOST_NESTED) {
            throw new IllegalArgumentException("nested more than " + MOST_NESTED + " deep: write it flatter");
        }
    }

    static void requireShallowInput(int depth) throws BadDataException {
        if (depth > MOST_NESTED) {
            throw new BadDataException("nested more than " + MOST_NESTED + " deep");
        }
    }
}
