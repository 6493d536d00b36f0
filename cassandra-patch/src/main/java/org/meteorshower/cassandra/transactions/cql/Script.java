/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.jspecify.annotations.Nullable;

/** A transaction as it was written, before anything is known of its tables. */
record Script(List<Step> steps, List<@Nullable ColumnIdentifier> markerNames) {

    /** A statement of a transaction. */
    sealed interface Step {}

    /** {@code LET name = (SELECT ...)}. */
    record Let(String name, Address select) implements Step {}

    /**
     * A SELECT of rows.
     *
     * @param paged whether a range comes in pages where the client asks for them: outside of a transaction
     */
    record Rows(Address select, boolean paged) implements Step {}

    /** A SELECT of values that LETs have bound. */
    record Values(List<Named> values) implements Step {}

    record Named(Syntax value, @Nullable String alias) {}

    record If(Condition condition, List<Step> then, List<Step> otherwise) implements Step {}

    /**
     * A new row.
     *
     * @param key the statement up to its values
     * @param timeToLive what stands behind USING TTL; null where nothing is said
     */
    record Insert(
            Fragment key,
            Fragment table,
            List<String> columns,
            List<Syntax> values,
            @Nullable Fragment timeToLive) implements Step {}

    /**
     * New values of columns.
     *
     * @param key the statement with nothing but its key: Cassandra checks it, and says which rows it means
     * @param timeToLive what stands behind USING TTL; null where nothing is said
     */
    record Update(
            Address key,
            Fragment table,
            List<Assignment> assignments,
            @Nullable Fragment timeToLive) implements Step {}

    /** @param targets what of the row is deleted; empty for all */
    record Delete(Address key, Fragment table, List<Assignment> targets) implements Step {}

    /**
     * A statement for Cassandra's parser, with its WHERE apart where that refers to rows.
     *
     * @param text all of it, or what stands before the WHERE
     * @param where empty where the text has all
     * @param rest what stands behind the WHERE
     */
    record Address(Fragment text, List<Relation> where, Fragment rest) {
        Address(Fragment text) {
            this(text, List.of(), Fragment.of(""));
        }

        boolean isComputed() {
            return !where.isEmpty();
        }
    }

    /**
     * A part of a WHERE.
     *
     * @param text as it was written
     * @param column that is compared; null where it is no plain comparison, and then Cassandra reads it
     * @param sign one of = &lt; &lt;= &gt; &gt;=
     * @param value what it is compared with; null as the column
     */
    record Relation(
            Fragment text,
            @Nullable String column,
            String sign,
            @Nullable Syntax value) {}

    /**
     * A write outside of a transaction that asks first: {@code INSERT ... IF NOT EXISTS}, {@code UPDATE ... IF v = 1}.
     *
     * @param exists whether the row must be there, or must not; null where that does not matter by itself
     * @param condition on the row's own columns; null for none
     */
    record Guarded(
            Step write, @Nullable Boolean exists, @Nullable Condition condition) implements Step {}

    /** Writes of which some ask first: all are done, or none. */
    record Batch(List<Step> writes) implements Step {}

    /**
     * What happens to a column.
     *
     * @param element of a collection
     * @param field of a user-defined type
     * @param sign "=", "+=", "-="
     * @param value null where it is deleted
     */
    record Assignment(
            String column,
            @Nullable Fragment element,
            @Nullable String field,
            String sign,
            @Nullable Syntax value) {}

    /** A value as written. */
    sealed interface Syntax {}

    /** What Cassandra's parser understands as a term: a literal, a marker, a function of such. */
    record Leaf(Fragment term) implements Syntax {}

    /** {@code row}, {@code row.column}, {@code row.column[element]}, {@code row.column.field}. */
    record Reference(
            String row,
            @Nullable String column,
            @Nullable Fragment element,
            @Nullable String field) implements Syntax {}

    /** A column of the row that is being updated. */
    record Own(String column) implements Syntax {}

    /** @param sign one of + - * / % */
    record Arithmetic(String sign, Syntax left, Syntax right) implements Syntax {}

    /** What an IF asks. */
    sealed interface Condition {}

    record Compared(String sign, Syntax left, Syntax right) implements Condition {}

    record IsNull(Syntax value, boolean negated) implements Condition {}

    record In(Syntax value, List<Syntax> choices) implements Condition {}

    /** {@code IN ?}. */
    record InMarker(Syntax value, Fragment marker) implements Condition {}

    record All(List<Condition> parts) implements Condition {}

    record Any(List<Condition> parts) implements Condition {}
}
