/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.List;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Span;
import org.meteorshower.transactions.language.Statement;

/**
 * Writes statements and expressions as {@link StatementCodec} and {@link ExpressionCodec} read them: of an expression
 * its code and what it has beside others, then these. Used by one thread, for one transaction.
 */
final class LanguageWriter implements Statement.Handler, Expression.Visitor<DataOut> {
    private final DataOut out;

    /** How deep what is written now is nested. */
    private int depth;

    LanguageWriter(DataOut out) {
        this.out = out;
    }

    /** @throws IllegalArgumentException if they are nested too deep */
    void write(List<Statement> statements) {
        LanguageCodec.requireShallow(depth);
        out.varint(statements.size());
        statements.forEach(statement -> statement.handOver(this));
    }

    /** @throws IllegalArgumentException if it is nested too deep */
    void write(Expression expression) {
        LanguageCodec.requireShallow(depth);
        var unused = expression.accept(this);
        depth++;
        expression.parts().forEach(this::write);
        depth--;
    }

    @Override
    public void on(Statement.Let let) {
        out.u8(StatementCodec.LET).text(let.name());
        write(let.value());
    }

    @Override
    public void on(Statement.Put put) {
        LanguageCodec.write(put.row(), out.u8(StatementCodec.PUT));
        out.text(put.column());
        write(put.value());
    }

    @Override
    public void on(Statement.Delete delete) {
        LanguageCodec.write(delete.row(), out.u8(StatementCodec.DELETE));
    }

    @Override
    public void on(Statement.If choice) {
        out.u8(StatementCodec.IF);
        write(choice.condition());
        depth++;
        write(choice.then());
        write(choice.otherwise());
        depth--;
    }

    @Override
    public void on(Statement.Require require) {
        out.u8(StatementCodec.REQUIRE);
        write(require.condition());
    }

    @Override
    public void on(Statement.Return answer) {
        out.u8(StatementCodec.RETURN);
        write(answer.value());
    }

    @Override
    public void on(Statement.Find find) {
        if (find.range() instanceof ComputedRange computed) {
            write(computed, out.u8(StatementCodec.FIND_COMPUTED).text(find.name()));
        } else {
            RangeCodec.write((Range) find.range(), out.u8(StatementCodec.FIND).text(find.name()));
        }
        out.varint(find.columns().size());
        find.columns().forEach(out::text);
    }

    @Override
    public void on(Statement.DeleteRange delete) {
        boolean many = delete.range().most() == Range.MANY;
        Span range = many ? delete.range().all() : delete.range();
        if (range instanceof ComputedRange computed) {
            write(computed, out.u8(many ? StatementCodec.DELETE_MANY_COMPUTED : StatementCodec.DELETE_COMPUTED));
        } else {
            RangeCodec.write((Range) range, out.u8(many ? StatementCodec.DELETE_MANY : StatementCodec.DELETE_RANGE));
        }
    }

    @Override
    public void on(Statement.Change change) {
        ComputedRow row = change.row();
        RangeCodec.write(row.partition(), row.order(), out.u8(StatementCodec.CHANGE));
        writeValues(row.values());
        out.varint(change.assignments().size());
        for (Statement.Change.Assignment each : change.assignments()) {
            out.text(each.column());
            write(each.value());
        }
    }

    private void write(ComputedRange range, DataOut to) {
        RangeCodec.write(range.partition(), range.order(), to);
        for (ComputedRange.Edge edge : List.of(range.from(), range.to())) {
            writeValues(edge.values());
            to.bool(edge.included());
        }
        to.bool(range.backward()).varint(range.most());
    }

    private void writeValues(List<Expression> values) {
        out.varint(values.size());
        values.forEach(this::write);
    }

    @Override
    public DataOut on(Expression.Constant constant) {
        ValueCodec.write(constant.value(), out.u8(ExpressionCodec.CONSTANT), depth);
        return out;
    }

    @Override
    public DataOut on(Expression.Column column) {
        LanguageCodec.write(column.row(), out.u8(ExpressionCodec.COLUMN));
        return out.text(column.column());
    }

    @Override
    public DataOut on(Expression.Exists exists) {
        LanguageCodec.write(exists.row(), out.u8(ExpressionCodec.EXISTS));
        return out;
    }

    @Override
    public DataOut on(Expression.Variable variable) {
        return out.u8(ExpressionCodec.VARIABLE).text(variable.name());
    }

    @Override
    public DataOut on(Expression.Arithmetic arithmetic) {
        return out.u8(ExpressionCodec.ARITHMETIC).varint(ExpressionCodec.OPERATIONS.indexOf(arithmetic.operation()));
    }

    @Override
    public DataOut on(Expression.Comparison comparison) {
        return out.u8(ExpressionCodec.COMPARISON).varint(ExpressionCodec.RELATIONS.indexOf(comparison.relation()));
    }

    @Override
    public DataOut on(Expression.And and) {
        return out.u8(ExpressionCodec.AND).varint(and.parts().size());
    }

    @Override
    public DataOut on(Expression.Or or) {
        return out.u8(ExpressionCodec.OR).varint(or.parts().size());
    }

    @Override
    public DataOut on(Expression.Not not) {
        return out.u8(ExpressionCodec.NOT);
    }

    @Override
    public DataOut on(Expression.In in) {
        return out.u8(ExpressionCodec.IN).varint(in.choices().size());
    }

    @Override
    public DataOut on(Expression.Appended appended) {
        return out.u8(ExpressionCodec.APPENDED);
    }

    @Override
    public DataOut on(Expression.IsNothing test) {
        return out.u8(ExpressionCodec.IS_NOTHING);
    }

    @Override
    public DataOut on(Expression.Choice choice) {
        return out.u8(ExpressionCodec.CHOICE);
    }

    @Override
    public DataOut on(Expression.Converted converted) {
        return out.u8(ExpressionCodec.CONVERTED).varint(converted.kind().code());
    }

    @Override
    public DataOut on(Expression.Combined combined) {
        return out.u8(ExpressionCodec.COMBINED).varint(ExpressionCodec.HOWS.indexOf(combined.how()));
    }

    @Override
    public DataOut on(Expression.Element element) {
        return out.u8(ExpressionCodec.ELEMENT);
    }

    @Override
    public DataOut on(Expression.Replaced replaced) {
        return out.u8(ExpressionCodec.REPLACED);
    }

    @Override
    public DataOut on(Expression.Own own) {
        return out.u8(ExpressionCodec.OWN).text(own.column());
    }

    @Override
    public DataOut on(Expression.Ending ending) {
        return out.u8(ExpressionCodec.ENDING).varint(ending.untilMillis());
    }

    @Override
    public DataOut on(Expression.Folded folded) {
        return out.u8(ExpressionCodec.FOLDED)
                .varint(ExpressionCodec.FOLDS.indexOf(folded.how()))
                .varint(folded.place());
    }
}
