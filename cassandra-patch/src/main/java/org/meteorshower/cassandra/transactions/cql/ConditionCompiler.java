/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ListType;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Value;

/** What IF asks, to what the core computes. A comparison with null is false, as in SQL. */
final class ConditionCompiler {
    private final Scope scope;
    private final ValueCompiler values;

    /** As conditions of single statements have it: null is equal to null, and not equal to a value. */
    private final boolean nullIsAValue;

    ConditionCompiler(Scope scope, ValueCompiler values, boolean nullIsAValue) {
        this.scope = scope;
        this.values = values;
        this.nullIsAValue = nullIsAValue;
    }

    Compiled.Value compile(Script.Condition condition) {
        if (condition instanceof Script.All all) {
            List<Compiled.Value> parts = all.parts().stream().map(this::compile).toList();
            return (binding, row) -> new Expression.And(bind(parts, binding, row));
        } else if (condition instanceof Script.Any any) {
            List<Compiled.Value> parts = any.parts().stream().map(this::compile).toList();
            return (binding, row) -> new Expression.Or(bind(parts, binding, row));
        } else if (condition instanceof Script.IsNull test) {
            return isNull(test);
        } else if (condition instanceof Script.In in) {
            return in(in);
        } else if (condition instanceof Script.InMarker in) {
            return in(in);
        }
        return compared((Script.Compared) condition);
    }

    private Compiled.Value isNull(Script.IsNull test) {
        Compiled.Value isNull;
        if (test.value() instanceof Script.Reference row && row.column() == null) {
            Expression exists = scope.row(row.row()).exists();
            isNull = (binding, own) -> new Expression.Not(exists);
        } else {
            Compiled.Value value = values.compile(test.value(), known(test.value(), null), "IS NULL");
            isNull = (binding, own) -> new Expression.IsNothing(value.bind(binding, own));
        }
        return test.negated() ? (binding, own) -> new Expression.Not(isNull.bind(binding, own)) : isNull;
    }

    private Compiled.Value compared(Script.Compared compared) {
        AbstractType<?> left = known(compared.left(), compared.right());
        AbstractType<?> right = known(compared.right(), compared.left());
        boolean numbers =
                ValueForm.kindOf(left).isNumber() && ValueForm.kindOf(right).isNumber();
        if (!numbers && !Types.takes(left, right) && !Types.takes(right, left)) {
            throw Errors.invalid(left.asCQL3Type() + " and " + right.asCQL3Type() + " cannot be compared");
        }
        Expression.Comparison.Relation relation = relation(compared.sign());
        boolean ordered = relation != Expression.Comparison.Relation.EQUAL
                && relation != Expression.Comparison.Relation.NOT_EQUAL;
        if (ordered && (!ValueForm.kindOf(left).isOrdered() || left.isMultiCell())) {
            throw Errors.invalid("values of " + left.asCQL3Type() + " are equal or not, but not compared by '"
                    + compared.sign() + "' in a transaction");
        }
        Compiled.Value one = values.compile(compared.left(), left, nameOf(compared.left(), compared.right()));
        Compiled.Value other = values.compile(compared.right(), right, nameOf(compared.right(), compared.left()));
        // "c != null" holds for a value, as Cassandra 6 documents it; what another row holds is compared as in SQL.
        boolean term = compared.right() instanceof Script.Leaf && relation == Expression.Comparison.Relation.NOT_EQUAL;
        return (binding, row) -> {
            Expression a = one.bind(binding, row);
            Expression b = other.bind(binding, row);
            Expression plain = new Expression.Comparison(relation, a, b);
            if (ordered || nullIsAValue) {
                return plain;
            }
            return new Expression.And(term ? List.of(notNull(a), plain) : List.of(notNull(a), notNull(b), plain));
        };
    }

    private Compiled.Value in(Script.In asked) {
        AbstractType<?> type = known(
                asked.value(),
                asked.choices().isEmpty() ? null : asked.choices().get(0));
        Compiled.Value value = values.compile(asked.value(), type, "IN");
        List<Compiled.Value> choices = asked.choices().stream()
                .map(each -> values.compile(each, type, nameOf(each, asked.value())))
                .toList();
        return (binding, row) -> {
            Expression item = value.bind(binding, row);
            Expression in = new Expression.In(item, bind(choices, binding, row));
            return nullIsAValue ? in : new Expression.And(List.of(notNull(item), in));
        };
    }

    /** {@code IN ?}: the choices are a list. */
    private Compiled.Value in(Script.InMarker in) {
        AbstractType<?> type = known(in.value(), null);
        ListType<?> list = ListType.getInstance(type, true);
        Compiled.Value value = values.compile(in.value(), type, "IN");
        Term term = values.term(in.marker(), list, "in(" + nameOf(in.value(), in.value()) + ")");
        return (binding, row) -> {
            ByteBuffer bytes = term.bindAndGet(binding.of(in.marker()));
            if (Binding.isUnset(bytes)) {
                throw Errors.invalid("the bind marker of IN was left unset: bind a list");
            }
            List<Expression> choices = new ArrayList<>();
            if (ValueForm.fromBytes(list, bytes) instanceof Value.Items items) {
                items.values().forEach(each -> choices.add(new Expression.Constant(each)));
            }
            Expression item = value.bind(binding, row);
            return new Expression.And(List.of(notNull(item), new Expression.In(item, choices)));
        };
    }

    private AbstractType<?> known(Script.Syntax value, Script.@Nullable Syntax other) {
        AbstractType<?> type = values.typeOf(value);
        if (type == null && other != null) {
            type = values.typeOf(other);
        }
        if (type == null) {
            throw Errors.invalid("of which type the values of a condition are cannot be told: compare a row's column,"
                    + " or write the type before the value, as in (int) 5");
        }
        return type;
    }

    private static String nameOf(Script.Syntax value, Script.Syntax other) {
        Script.Syntax named = value instanceof Script.Leaf ? other : value;
        return named instanceof Script.Reference reference
                ? reference.row() + "." + reference.column()
                : named instanceof Script.Own own ? own.column() : "condition";
    }

    private static Expression notNull(Expression value) {
        return new Expression.Not(new Expression.IsNothing(value));
    }

    private static List<Expression> bind(List<Compiled.Value> parts, Binding binding, Compiled.@Nullable Subject row) {
        return parts.stream().map(part -> part.bind(binding, row)).toList();
    }

    private static Expression.Comparison.Relation relation(String sign) {
        return switch (sign) {
            case "=" -> Expression.Comparison.Relation.EQUAL;
            case "!=" -> Expression.Comparison.Relation.NOT_EQUAL;
            case "<" -> Expression.Comparison.Relation.LESS;
            case "<=" -> Expression.Comparison.Relation.LESS_OR_EQUAL;
            case ">" -> Expression.Comparison.Relation.GREATER;
            case ">=" -> Expression.Comparison.Relation.GREATER_OR_EQUAL;
            default -> throw new IllegalArgumentException("no comparison: " + sign);
        };
    }
}
