/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.Statement;

/** Statements from bytes, which {@link LanguageWriter} writes. Stateless. */
final class StatementCodec {
    static final int LET = 1;
    static final int PUT = 2;
    static final int DELETE = 3;
    static final int IF = 4;
    static final int REQUIRE = 5;
    static final int RETURN = 6;
    static final int FIND = 7;
    static final int DELETE_RANGE = 8;
    static final int FIND_COMPUTED = 9;
    static final int DELETE_COMPUTED = 10;
    static final int CHANGE = 11;
    static final int DELETE_MANY = 12;
    static final int DELETE_MANY_COMPUTED = 13;

    private static final int LEAST_STATEMENT_BYTES = 3;

    private StatementCodec() {}

    static List<Statement> readAll(DataIn in, int depth) throws BadDataException {
        LanguageCodec.requireShallowInput(depth);
        int count = in.count("statements", LEAST_STATEMENT_BYTES);
        List<Statement> statements = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            statements.add(read(in, depth));
        }
        return statements;
    }

    private static List<String> columns(DataIn in) throws BadDataException {
        int count = in.count("columns", 1);
        List<String> columns = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            columns.add(in.text("a column's name"));
        }
        return columns;
    }

    private static List<Statement.Change.Assignment> assignments(DataIn in, int depth) throws BadDataException {
        int count = in.count("columns", 2);
        List<Statement.Change.Assignment> assignments = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            assignments.add(
                    new Statement.Change.Assignment(in.text("a column's name"), ExpressionCodec.read(in, depth)));
        }
        return assignments;
    }

    private static Statement read(DataIn in, int depth) throws BadDataException {
        int code = in.u8();
        return switch (code) {
            case LET -> new Statement.Let(in.text("a name"), ExpressionCodec.read(in, depth));
            case PUT ->
                new Statement.Put(
                        LanguageCodec.readRowKey(in), in.text("a column's name"), ExpressionCodec.read(in, depth));
            case DELETE -> new Statement.Delete(LanguageCodec.readRowKey(in));
            case IF ->
                new Statement.If(ExpressionCodec.read(in, depth), readAll(in, depth + 1), readAll(in, depth + 1));
            case REQUIRE -> new Statement.Require(ExpressionCodec.read(in, depth));
            case RETURN -> new Statement.Return(ExpressionCodec.read(in, depth));
            case FIND -> new Statement.Find(in.text("a name"), RangeCodec.read(in), columns(in));
            case DELETE_RANGE -> new Statement.DeleteRange(RangeCodec.read(in));
            case FIND_COMPUTED ->
                new Statement.Find(in.text("a name"), RangeCodec.readComputed(in, depth), columns(in));
            case DELETE_COMPUTED -> new Statement.DeleteRange(RangeCodec.readComputed(in, depth));
            case CHANGE -> new Statement.Change(RangeCodec.readRow(in, depth), assignments(in, depth));
            case DELETE_MANY -> new Statement.DeleteRange(RangeCodec.read(in)).many();
            case DELETE_MANY_COMPUTED -> new Statement.DeleteRange(RangeCodec.readComputed(in, depth)).many();
            default -> throw new BadDataException("no statement begins with " + code);
        };
    }
}
