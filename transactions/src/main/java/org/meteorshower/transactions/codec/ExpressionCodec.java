/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;

/** Expressions from bytes, which {@link LanguageWriter} writes: a code, and what belongs to it. Stateless. */
final class ExpressionCodec {
    static final int CONSTANT = 1;
    static final int COLUMN = 2;
    static final int EXISTS = 3;
    static final int VARIABLE = 4;
    static final int ARITHMETIC = 5;
    static final int COMPARISON = 6;
    static final int AND = 7;
    static final int OR = 8;
    static final int NOT = 9;
    static final int IN = 10;
    static final int APPENDED = 11;
    static final int IS_NOTHING = 12;
    static final int CHOICE = 13;
    static final int CONVERTED = 14;
    static final int COMBINED = 15;
    static final int ELEMENT = 16;
    static final int REPLACED = 17;
    static final int OWN = 18;
    static final int FOLDED = 19;
    static final int ENDING = 20;

    // Their places in these lists are written: new ones go to the end.
    static final List<Expression.Arithmetic.Operation> OPERATIONS = List.of(Expression.Arithmetic.Operation.values());
    static final List<Expression.Comparison.Relation> RELATIONS = List.of(Expression.Comparison.Relation.values());
    static final List<Expression.Combined.How> HOWS = List.of(Expression.Combined.How.values());
    static final List<Expression.Folded.Fold> FOLDS = List.of(Expression.Folded.Fold.values());

    /** A table has no more columns. */
    private static final int MOST_PLACES = 100_000;

    private ExpressionCodec() {}

    static Expression read(DataIn in, int depth) throws BadDataException {
        LanguageCodec.requireShallowInput(depth);
        int code = in.u8();
        int next = depth + 1;
        return switch (code) {
            case CONSTANT -> new Expression.Constant(ValueCodec.read(in, depth));
            case COLUMN -> new Expression.Column(LanguageCodec.readRowKey(in), in.text("a column's name"));
            case EXISTS -> new Expression.Exists(LanguageCodec.readRowKey(in));
            case VARIABLE -> new Expression.Variable(in.text("a name"));
            case ARITHMETIC ->
                new Expression.Arithmetic(
                        OPERATIONS.get(in.number("an operation", OPERATIONS.size() - 1)),
                        read(in, next),
                        read(in, next));
            case COMPARISON ->
                new Expression.Comparison(
                        RELATIONS.get(in.number("a relation", RELATIONS.size() - 1)), read(in, next), read(in, next));
            case AND -> new Expression.And(readAll(in, next));
            case OR -> new Expression.Or(readAll(in, next));
            case NOT -> new Expression.Not(read(in, next));
            case IN -> {
                int choices = in.count("choices", 1);
                Expression item = read(in, next);
                yield new Expression.In(item, readAll(in, choices, next));
            }
            case APPENDED -> new Expression.Appended(read(in, next), read(in, next));
            default -> readLater(in, code, next);
        };
    }

    private static Expression readLater(DataIn in, int code, int next) throws BadDataException {
        return switch (code) {
            case IS_NOTHING -> new Expression.IsNothing(read(in, next));
            case CHOICE -> new Expression.Choice(read(in, next), read(in, next), read(in, next));
            case CONVERTED -> new Expression.Converted(kind(in), read(in, next));
            case COMBINED ->
                new Expression.Combined(
                        HOWS.get(in.number("a way to combine", HOWS.size() - 1)), read(in, next), read(in, next));
            case ELEMENT -> new Expression.Element(read(in, next), read(in, next));
            case REPLACED -> new Expression.Replaced(read(in, next), read(in, next), read(in, next));
            case OWN -> new Expression.Own(in.text("a column's name"));
            case FOLDED ->
                new Expression.Folded(
                        FOLDS.get(in.number("a way to fold", FOLDS.size() - 1)),
                        in.number("a place", MOST_PLACES),
                        read(in, next));
            case ENDING -> ending(in, next);
            default -> throw new BadDataException("no expression begins with " + code);
        };
    }

    private static Expression ending(DataIn in, int next) throws BadDataException {
        long untilMillis = in.natural("a time");
        return new Expression.Ending(read(in, next), untilMillis);
    }

    static Kind kind(DataIn in) throws BadDataException {
        int code = in.u8();
        try {
            return Kind.ofCode(code);
        } catch (IllegalArgumentException e) {
            throw new BadDataException("no kind of value has code " + code);
        }
    }

    private static List<Expression> readAll(DataIn in, int depth) throws BadDataException {
        return readAll(in, in.count("parts", 1), depth);
    }

    private static List<Expression> readAll(DataIn in, int count, int depth) throws BadDataException {
        List<Expression> parts = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            parts.add(read(in, depth));
        }
        return parts;
    }
}
