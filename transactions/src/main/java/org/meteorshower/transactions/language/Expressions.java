/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives expressions their values. */
final class Expressions implements Expression.Visitor<Value> {
    private final WorkingCopy rows;
    private final Map<String, Value> variables = new HashMap<>();

    /** Whether a column is set to what is asked next. */
    private boolean isStored;

    /** That is being changed by a computed key; null where none is. */
    private @Nullable Row own;

    Expressions(WorkingCopy rows) {
        this.rows = rows;
    }

    void bind(String name, Value value) {
        variables.put(name, value);
    }

    boolean isTrue(Expression condition) {
        Value value = valueOf(condition);
        if (value instanceof Value.Truth truth) {
            return truth.value();
        }
        throw error("a condition gives " + value + ", which is neither true nor false");
    }

    Value valueOf(Expression expression) {
        isStored = false;
        return expression.accept(this);
    }

    /** @param changing the row that is being changed */
    Value stored(Expression expression, Row changing) {
        own = changing;
        Value value = stored(expression);
        own = null;
        return value;
    }

    @Override
    public Value on(Expression.Constant constant) {
        return constant.value();
    }

    @Override
    public Value on(Expression.Column column) {
        return rows.get(column.row()).get(column.column());
    }

    @Override
    public Value on(Expression.Exists exists) {
        return Value.of(rows.get(exists.row()).exists());
    }

    @Override
    public Value on(Expression.Variable variable) {
        return bound(variable.name());
    }

    @Override
    public Value on(Expression.Arithmetic arithmetic) {
        return arithmetic(arithmetic);
    }

    @Override
    public Value on(Expression.Comparison comparison) {
        return Value.of(compare(comparison.relation(), valueOf(comparison.left()), valueOf(comparison.right())));
    }

    @Override
    public Value on(Expression.And and) {
        return Value.of(and.parts().stream().allMatch(this::isTrue));
    }

    @Override
    public Value on(Expression.Or or) {
        return Value.of(or.parts().stream().anyMatch(this::isTrue));
    }

    @Override
    public Value on(Expression.Not not) {
        return Value.of(!isTrue(not.part()));
    }

    @Override
    public Value on(Expression.In in) {
        Value item = valueOf(in.item());
        return Value.of(in.choices().stream().anyMatch(choice -> Order.equal(valueOf(choice), item)));
    }

    @Override
    public Value on(Expression.Appended appended) {
        return appended(valueOf(appended.list()), valueOf(appended.item()));
    }

    @Override
    public Value on(Expression.IsNothing test) {
        return Value.of(valueOf(test.part()).equals(Value.NOTHING));
    }

    @Override
    public Value on(Expression.Choice choice) {
        return valueOf(isTrue(choice.condition()) ? choice.then() : choice.otherwise());
    }

    @Override
    public Value on(Expression.Converted converted) {
        return Numbers.converted(converted.kind(), valueOf(converted.part()));
    }

    @Override
    public Value on(Expression.Combined combined) {
        Value left = valueOf(combined.left());
        Value right = valueOf(combined.right());
        return switch (combined.how()) {
            case JOIN -> Containers.joined(left, right);
            case REMOVE -> Containers.without(left, right);
        };
    }

    @Override
    public Value on(Expression.Element element) {
        return Containers.element(valueOf(element.of()), valueOf(element.key()));
    }

    @Override
    public Value on(Expression.Replaced replaced) {
        return Containers.replaced(valueOf(replaced.in()), valueOf(replaced.key()), valueOf(replaced.value()));
    }

    @Override
    public Value on(Expression.Own column) {
        if (own == null) {
            throw error("no row is being changed whose " + column.column() + " could be read");
        }
        return own.get(column.column());
    }

    @Override
    public Value on(Expression.Folded folded) {
        return Folding.of(folded, valueOf(folded.rows()));
    }

    /** Where it is not what a column is set to it would end unseen. */
    @Override
    public Value on(Expression.Ending ending) {
        if (!isStored) {
            throw error("only what a column is set to can end");
        }
        Value value = valueOf(ending.part());
        return value.equals(Value.NOTHING) ? value : new Value.Expiring(value, ending.untilMillis());
    }

    /** What a column is set to. */
    Value stored(Expression expression) {
        isStored = true;
        return expression.accept(this);
    }

    private Value bound(String name) {
        Value value = variables.get(name);
        if (value == null) {
            throw error("no LET has bound " + name);
        }
        return value;
    }

    private Value arithmetic(Expression.Arithmetic arithmetic) {
        Value left = valueOf(arithmetic.left());
        Value right = valueOf(arithmetic.right());
        if (left.equals(Value.NOTHING) || right.equals(Value.NOTHING)) {
            return Value.NOTHING;
        } else if (left instanceof Value.Typed a && right instanceof Value.Typed b) {
            return Numbers.computed(arithmetic.operation(), a, b);
        } else if (left instanceof Value.Whole a && right instanceof Value.Whole b) {
            try {
                return Value.of(
                        switch (arithmetic.operation()) {
                            case PLUS -> Math.addExact(a.value(), b.value());
                            case MINUS -> Math.subtractExact(a.value(), b.value());
                            case TIMES -> Math.multiplyExact(a.value(), b.value());
                            case DIVIDE -> a.value() / b.value();
                            case REMAINDER -> a.value() % b.value();
                        });
            } catch (ArithmeticException e) {
                throw error((b.value() == 0 ? "division by zero: " : "overflow: ") + a + " " + arithmetic.operation()
                        + " " + b);
            }
        }
        throw error(left + " " + arithmetic.operation() + " " + right + " are not both whole numbers");
    }

    private static boolean compare(Expression.Comparison.Relation relation, Value left, Value right) {
        if (relation == Expression.Comparison.Relation.EQUAL) {
            return Order.equal(left, right);
        } else if (relation == Expression.Comparison.Relation.NOT_EQUAL) {
            return !Order.equal(left, right);
        }
        if (left.equals(Value.NOTHING) || right.equals(Value.NOTHING)) {
            return false;
        }
        int order = Order.of(left, right);
        return switch (relation) {
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            default -> order >= 0;
        };
    }

    private static Value appended(Value list, Value item) {
        if (list.equals(Value.NOTHING)) {
            return new Value.Items(List.of(item));
        } else if (list instanceof Value.Items items) {
            return items.with(item);
        }
        throw error(list + " is no list to append to");
    }

    static UnsatisfiedException error(String detail) {
        return new UnsatisfiedException(Outcome.Reason.ERROR, detail);
    }
}
