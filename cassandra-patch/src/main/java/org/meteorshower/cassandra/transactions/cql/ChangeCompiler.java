/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Value;

/** What SET and DELETE do to a column, to what the core does to it. */
final class ChangeCompiler {
    private static final Expression NOTHING = new Expression.Constant(Value.NOTHING);

    private final ValueCompiler values;

    ChangeCompiler(ValueCompiler values) {
        this.values = values;
    }

    Compiled.Change assigned(TableMetadata table, Script.Assignment assignment, TimeToLive timeToLive) {
        ColumnMetadata column = table.getExistingColumn(new ColumnIdentifier(assignment.column(), true));
        Compiled.Change change = assigned(column, assignment);
        return column.type.isMultiCell() && isOfPart(assignment)
                ? timeToLive.ofPart(column, change)
                : timeToLive.of(change);
    }

    /** Whether some of what the column held stays. */
    private static boolean isOfPart(Script.Assignment assignment) {
        return assignment.element() != null
                || assignment.field() != null
                || !assignment.sign().equals("=")
                || isMadeOf(assignment.column(), java.util.Objects.requireNonNull(assignment.value()));
    }

    private static boolean isMadeOf(String column, Script.Syntax value) {
        return value instanceof Script.Arithmetic sum
                ? isMadeOf(column, sum.left()) || isMadeOf(column, sum.right())
                : value instanceof Script.Own own && own.column().equals(column);
    }

    private Compiled.Change assigned(ColumnMetadata column, Script.Assignment assignment) {
        Script.Syntax value = java.util.Objects.requireNonNull(assignment.value());
        String sign = assignment.sign();
        if (assignment.element() != null || assignment.field() != null) {
            if (!sign.equals("=")) {
                throw Errors.invalid("'" + sign + "' on a part of " + column.name + ": use =");
            }
            return part(column, assignment, value);
        }
        Script.Syntax whole = sign.equals("=")
                ? value
                : new Script.Arithmetic(sign.substring(0, 1), new Script.Own(assignment.column()), value);
        return put(column, whole);
    }

    /** A column of an INSERT, or the whole of a column of an UPDATE. */
    Compiled.Change put(ColumnMetadata column, Script.Syntax value) {
        AbstractType<?> type = column.type;
        Compiled.Value compiled = values.compile(value, type, column.name.toString());
        Fragment marker =
                value instanceof Script.Leaf leaf && leaf.term().markers().size() == 1 ? leaf.term() : null;
        return (binding, row, to) -> {
            if (marker == null || !binding.isUnset(marker)) { // what is unset stays as it is
                to.set(column, compiled.bind(binding, row));
            }
        };
    }

    Compiled.Change deleted(TableMetadata table, Script.Assignment target) {
        ColumnMetadata column = table.getExistingColumn(new ColumnIdentifier(target.column(), true));
        return target.element() == null && target.field() == null
                ? (binding, row, to) -> to.set(column, NOTHING)
                : part(column, target, null);
    }

    /** @param value null where the part is deleted */
    private Compiled.Change part(ColumnMetadata column, Script.Assignment target, Script.@Nullable Syntax value) {
        String what = column.name.toString();
        AbstractType<?> type = column.type;
        Compiled.Value key;
        AbstractType<?> valueType;
        if (target.element() != null) {
            key = values.leaf(target.element(), Types.keyOf(type, what), "element of " + what);
            valueType = Types.elementOf(type, what);
        } else {
            int field = Types.fieldOf(type, java.util.Objects.requireNonNull(target.field()), what);
            key = (binding, row) -> new Expression.Constant(ValueForm.field(field));
            valueType = ((UserType) type).fieldType(field);
        }
        if (type instanceof SetType<?>) {
            return member(column, key, value != null);
        }
        Compiled.Value compiled = value == null ? (binding, row) -> NOTHING : values.compile(value, valueType, what);
        return (binding, row, to) -> {
            Expression place = key.bind(binding, row);
            refuseNull(place, what);
            Expression held = row.valueOf(column);
            Expression put = compiled.bind(binding, row);
            Expression changed = new Expression.Replaced(held, place, put);
            if (value == null && type instanceof ListType<?>) { // deleting what an absent list has not got is no error
                changed = new Expression.Choice(new Expression.IsNothing(held), NOTHING, changed);
            }
            to.set(column, changed);
        };
    }

    private static Compiled.Change member(ColumnMetadata column, Compiled.Value key, boolean assigned) {
        if (assigned) {
            throw Errors.invalid("a set has no values to be assigned to its members: use " + column.name + " = "
                    + column.name + " + {...}");
        }
        return (binding, row, to) -> {
            Expression gone = key.bind(binding, row);
            refuseNull(gone, column.name.toString());
            if (gone instanceof Expression.Constant constant && constant.value() instanceof Value.Typed typed) {
                Expression set =
                        new Expression.Constant(new Value.Members(new java.util.TreeSet<>(java.util.Set.of(typed))));
                to.set(column, new Expression.Combined(Expression.Combined.How.REMOVE, row.valueOf(column), set));
            }
        };
    }

    private static void refuseNull(Expression key, String what) {
        if (key instanceof Expression.Constant constant && constant.value().equals(Value.NOTHING)) {
            throw Errors.invalid("null names no element of " + what);
        }
    }
}
