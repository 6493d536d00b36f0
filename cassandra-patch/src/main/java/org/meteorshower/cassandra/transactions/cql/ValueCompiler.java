/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;

/**
 * Values as written, to what the core computes. What Cassandra's terms can say is computed here, once, and sent as a
 * constant.
 */
final class ValueCompiler {
    private final Scope scope;

    ValueCompiler(Scope scope) {
        this.scope = scope;
    }

    /** The type that the value has by itself; null if it takes that of what it is compared with or put into. */
    @Nullable
    AbstractType<?> typeOf(Script.Syntax value) {
        if (value instanceof Script.Leaf leaf) {
            AbstractType<?> type = Statements.term(leaf.term()).getExactTypeIfKnown(scope.keyspace());
            return type == null ? null : type.unwrap();
        } else if (value instanceof Script.Own own) {
            return own(own.column()).type.unwrap();
        } else if (value instanceof Script.Arithmetic arithmetic) {
            return Types.common(typeOf(arithmetic.left()), typeOf(arithmetic.right()));
        }
        return typeOf((Script.Reference) value);
    }

    private AbstractType<?> typeOf(Script.Reference reference) {
        ColumnMetadata column = scope.row(reference.row()).column(columnOf(reference));
        String what = reference.row() + "." + reference.column();
        if (reference.element() != null) {
            return Types.elementOf(column.type, what);
        } else if (reference.field() != null) {
            return ((UserType) column.type).fieldType(Types.fieldOf(column.type, reference.field(), what));
        }
        return column.type.unwrap();
    }

    /** @param what names the value in errors, and in what is told of bind markers */
    Compiled.Value compile(Script.Syntax value, AbstractType<?> target, String what) {
        if (value instanceof Script.Leaf leaf) {
            return leaf(leaf.term(), target, what);
        } else if (value instanceof Script.Arithmetic arithmetic) {
            return arithmetic(arithmetic, target, what);
        }
        AbstractType<?> type = typeOf(value);
        if (type == null || !Types.takes(target, type)) {
            throw Errors.invalid(what + " is " + target.asCQL3Type() + ", and cannot take " + described(value)
                    + ", which is " + (type == null ? "of no type" : type.asCQL3Type()));
        }
        Compiled.Value read = value instanceof Script.Own own ? column(read(own)) : reference((Script.Reference) value);
        Kind kind = ValueForm.kindOf(target);
        return kind.isNumber() && kind != ValueForm.kindOf(type)
                ? (binding, row) -> new Expression.Converted(kind, read.bind(binding, row))
                : read;
    }

    /** A term, computed by Cassandra when the transaction is submitted. */
    Compiled.Value leaf(Fragment text, AbstractType<?> target, String what) {
        Term term = term(text, target, what);
        return (binding, row) -> {
            ByteBuffer bytes = term.bindAndGet(binding.of(text));
            if (Binding.isUnset(bytes)) {
                throw Errors.invalid("the bind marker for " + what + " was left unset: bind a value, or null");
            } else if (bytes != null) {
                target.validate(bytes);
            }
            return new Expression.Constant(ValueForm.fromBytes(target, bytes));
        };
    }

    Term term(Fragment text, AbstractType<?> target, String what) {
        refuseReferences(text);
        ColumnSpecification receiver =
                new ColumnSpecification(scope.keyspace(), "transaction", new ColumnIdentifier(what, true), target);
        Term term = Statements.term(text).prepare(scope.keyspace(), receiver);
        term.addFunctionsTo(scope.functions());
        scope.markers().place(text, term);
        return term;
    }

    /** Cassandra's parser would only say that it does not expect a dot. */
    private void refuseReferences(Fragment text) {
        Tokens tokens = new Tokens(text.text());
        for (int i = 0; tokens.at(i + 2).type() != org.antlr.runtime.Token.EOF; i++) {
            if (tokens.at(i).isWord()
                    && tokens.at(i + 1).is(".")
                    && scope.isBound(tokens.at(i).name())) {
                throw Errors.invalid("a reference to a row cannot stand within a function, a collection or a tuple: "
                        + text + ". Compute that in the client");
            }
        }
    }

    private Compiled.Value arithmetic(Script.Arithmetic arithmetic, AbstractType<?> target, String what) {
        if (Types.isCollection(target)) {
            return combined(arithmetic, target, what);
        }
        Kind kind = ValueForm.kindOf(target);
        if (!kind.isNumber() && !(kind == Kind.TEXT && arithmetic.sign().equals("+"))) {
            throw Errors.invalid(
                    "'" + arithmetic.sign() + "' is not known for " + target.asCQL3Type() + " (" + what + ")");
        }
        Compiled.Value left = compile(arithmetic.left(), target, what);
        Compiled.Value right = compile(arithmetic.right(), target, what);
        Expression.Arithmetic.Operation operation =
                switch (arithmetic.sign()) {
                    case "+" -> Expression.Arithmetic.Operation.PLUS;
                    case "-" -> Expression.Arithmetic.Operation.MINUS;
                    case "*" -> Expression.Arithmetic.Operation.TIMES;
                    case "/" -> Expression.Arithmetic.Operation.DIVIDE;
                    default -> Expression.Arithmetic.Operation.REMAINDER;
                };
        return (binding, row) ->
                new Expression.Arithmetic(operation, left.bind(binding, row), right.bind(binding, row));
    }

    private Compiled.Value combined(Script.Arithmetic arithmetic, AbstractType<?> target, String what) {
        boolean removes = arithmetic.sign().equals("-");
        if (!removes && !arithmetic.sign().equals("+")) {
            throw Errors.invalid(
                    "'" + arithmetic.sign() + "' is not known for " + target.asCQL3Type() + " (" + what + ")");
        }
        AbstractType<?> second = removes && target instanceof MapType<?, ?> map
                ? SetType.getInstance(map.getKeysType(), true) // keys are what is taken from a map
                : target;
        Compiled.Value left = compile(arithmetic.left(), target, what);
        Compiled.Value right = compile(arithmetic.right(), second, what);
        Expression.Combined.How how = removes ? Expression.Combined.How.REMOVE : Expression.Combined.How.JOIN;
        return (binding, row) -> new Expression.Combined(how, left.bind(binding, row), right.bind(binding, row));
    }

    private Compiled.Value reference(Script.Reference reference) {
        BoundRow bound = scope.row(reference.row());
        String name = columnOf(reference);
        ColumnMetadata column = bound.column(name);
        Expression whole = bound.valueOf(name);
        if (reference.element() != null) {
            String what = reference.row() + "." + name;
            Compiled.Value key = leaf(reference.element(), Types.keyOf(column.type, what), "element of " + what);
            return (binding, row) -> new Expression.Element(whole, key.bind(binding, row));
        } else if (reference.field() != null) {
            Expression field = new Expression.Constant(
                    ValueForm.field(Types.fieldOf(column.type, reference.field(), reference.row() + "." + name)));
            return (binding, row) -> new Expression.Element(whole, field);
        }
        return (binding, row) -> whole;
    }

    /**
     * What is computed from a column can fail, or be told apart, by what the column holds (1 / (v - 5)). What is put
     * into a collection or taken out of it does not, and Cassandra lets those do it who may not read.
     */
    private ColumnMetadata read(Script.Own own) {
        ColumnMetadata column = own(own.column());
        if (!Types.isCollection(column.type)) {
            scope.reads(java.util.Objects.requireNonNull(scope.own()));
        }
        return column;
    }

    private static Compiled.Value column(ColumnMetadata column) {
        return (binding, row) -> {
            if (row == null) {
                throw new IllegalStateException("no row is being updated, and its " + column.name + " is asked for");
            }
            return row.valueOf(column);
        };
    }

    private static String columnOf(Script.Reference reference) {
        if (reference.column() == null) {
            throw Errors.invalid(reference.row() + " is a row here: name one of its columns (" + reference.row()
                    + ".column), or ask whether it is there (" + reference.row() + " IS NULL)");
        }
        return reference.column();
    }

    private ColumnMetadata own(String name) {
        TableMetadata table = scope.own();
        ColumnMetadata column = table == null ? null : table.getColumn(new ColumnIdentifier(name, true));
        if (column == null) {
            throw Errors.invalid((table == null ? name : table + " has no column " + name)
                    + (scope.isBound(name) ? ": " + name + " is a row, name one of its columns" : ""));
        }
        return column;
    }

    private static String described(Script.Syntax value) {
        return value instanceof Script.Reference reference
                ? reference.row() + "." + reference.column()
                : value instanceof Script.Own own ? own.column() : "this value";
    }
}
