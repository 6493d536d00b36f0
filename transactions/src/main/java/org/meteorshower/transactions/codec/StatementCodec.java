/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.Statement;

/** Statements as bytes. Stateless. */
final class StatementCodec {
    private static final int LET = 1;
    private static final int PUT = 2;
    private static final int DELETE = 3;
    private static final int IF = 4;
    private static final int REQUIRE = 5;
    private static final int RETURN = 6;

    private static final int LEAST_STATEMENT_BYTES = 3;

    private StatementCodec() {}

    static void write(List<Statement> statements, DataOut out, int depth) {
        LanguageCodec.requireShallow(depth);
        out.varint(statements.size());
        statements.forEach(statement -> write(statement, out, depth));
    }

    private static void write(Statement statement, DataOut out, int depth) {
        if (statement instanceof Statement.Let let) {
            ExpressionCodec.write(let.value(), out.u8(LET).text(let.name()), depth);
        } else if (statement instanceof Statement.Put put) {
            LanguageCodec.write(put.row(), out.u8(PUT));
            ExpressionCodec.write(put.value(), out.text(put.column()), depth);
        } else if (statement instanceof Statement.Delete delete) {
            LanguageCodec.write(delete.row(), out.u8(DELETE));
        } else if (statement instanceof Statement.If choice) {
            ExpressionCodec.write(choice.condition(), out.u8(IF), depth);
            write(choice.then(), out, depth + 1);
            write(choice.otherwise(), out, depth + 1);
        } else if (statement instanceof Statement.Require require) {
            ExpressionCodec.write(require.condition(), out.u8(REQUIRE), depth);
        } else if (statement instanceof Statement.Return answer) {
            ExpressionCodec.write(answer.value(), out.u8(RETURN), depth);
        }
    }

    static List<Statement> readAll(DataIn in, int depth) throws BadDataException {
        LanguageCodec.requireShallowInput(depth);
        int count = in.count("statements", LEAST_STATEMENT_BYTES);
        List<Statement> statements = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            statements.add(read(in, depth));
        }
        return statements;
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
            default -> throw new BadDataException("no statement begins with " + code);
        };
    }
}
