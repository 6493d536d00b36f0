/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;
import java.util.Set;

/** A step of a transaction's body. Steps see what earlier steps have written. */
public sealed interface Statement {
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /** Adds the rows that this statement reads or writes, in any branch. */
    void addRows(Set<RowKey> rows);

    /** Whether it has any {@linkplain #addClaims claims}, in any branch. */
    default boolean hasClaims() {
        return false;
    }

    /** Adds what the transaction must have to itself, in any branch. */
    default void addClaims(List<Claim> claims) {}

    /** The same, whose ranges of these partitions that are deleted may have {@linkplain Range#MANY many} rows. */
    default Statement deletingMany(Set<Partition> of) {
        return this;
    }

    /** Whether it can write, in any branch. */
    boolean writes();

    /** About how many bytes it takes on the heap, see {@link Weight}. */
    int weight();

    /**
     * Does something with each kind of statement. No method has a default: who handles statements says what it does
     * with a new kind.
     */
    interface Handler {
        void on(Let let);

        void on(Put put);

        void on(Delete delete);

        void on(If choice);

        void on(Require require);

        void on(Return answer);

        void on(Find find);

        void on(DeleteRange delete);

        void on(Change change);
    }

    /** Binds a value to a name. */
    record Let(String name, Expression value) implements Statement {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            value.addRows(rows);
        }

        @Override
        public boolean writes() {
            return false;
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(name) + value.weight();
        }
    }

    /** Sets a column; {@link Value#NOTHING} takes it away. */
    record Put(RowKey row, String column, Expression value) implements Statement {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            rows.add(row);
            value.addRows(rows);
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(row) + Weight.of(column) + value.weight();
        }
    }

    record Delete(RowKey row) implements Statement {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            rows.add(row);
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public int weight() {
            return Weight.OBJECT + Weight.of(row);
        }
    }

    record If(Expression condition, List<Statement> then, List<Statement> otherwise) implements Statement {
        public If {
            then = List.copyOf(then);
            otherwise = List.copyOf(otherwise);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            condition.addRows(rows);
            then.forEach(statement -> statement.addRows(rows));
            otherwise.forEach(statement -> statement.addRows(rows));
        }

        @Override
        public boolean hasClaims() {
            return has(then) || has(otherwise);
        }

        @Override
        public Statement deletingMany(Set<Partition> of) {
            return new If(
                    condition,
                    then.stream().map(each -> each.deletingMany(of)).toList(),
                    otherwise.stream().map(each -> each.deletingMany(of)).toList());
        }

        private static boolean has(List<Statement> branch) {
            for (Statement statement : branch) {
                if (statement.hasClaims()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void addClaims(List<Claim> claims) {
            then.forEach(statement -> statement.addClaims(claims));
            otherwise.forEach(statement -> statement.addClaims(claims));
        }

        @Override
        public boolean writes() {
            return then.stream().anyMatch(Statement::writes)
                    || otherwise.stream().anyMatch(Statement::writes);
        }

        @Override
        public int weight() {
            return Weight.OBJECT + condition.weight() + Weight.of(then) + Weight.of(otherwise);
        }
    }

    /** Where it does not hold, nothing of the transaction happens. */
    record Require(Expression condition) implements Statement {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            condition.addRows(rows);
        }

        @Override
        public boolean writes() {
            return false;
        }

        @Override
        public int weight() {
            return Weight.OBJECT + condition.weight();
        }
    }

    /** Adds a value to the transaction's answer. */
    record Return(Expression value) implements Statement {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            value.addRows(rows);
        }

        @Override
        public boolean writes() {
            return false;
        }

        @Override
        public int weight() {
            return Weight.OBJECT + value.weight();
        }
    }

    /**
     * Binds the rows of a range to a name, as a list: each a list of the values that it is ordered by, then these of
     * its columns. Nothing, where there is none.
     */
    record Find(String name, Span range, List<String> columns) implements Statement {
        public Find {
            if (range.most() == Range.MANY) {
                throw new IllegalArgumentException("many rows are to be deleted, not to be read");
            }
            columns = List.copyOf(columns);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            range.addRows(rows);
        }

        @Override
        public boolean hasClaims() {
            return true;
        }

        @Override
        public void addClaims(List<Claim> claims) {
            claims.add(range.claim());
        }

        @Override
        public boolean writes() {
            return false;
        }

        @Override
        public int weight() {
            int bytes = Weight.OBJECT + Weight.of(name) + range.weight();
            for (String column : columns) {
                bytes += Weight.of(column);
            }
            return bytes;
        }
    }

    /** Deletes the rows of a range. */
    record DeleteRange(Span range) implements Statement {
        /** The same where there may be {@linkplain Range#MANY many}. */
        public DeleteRange many() {
            return range.most() == Range.ALL ? new DeleteRange(range.many()) : this;
        }

        @Override
        public Statement deletingMany(Set<Partition> of) {
            return of.contains(range.partition()) ? many() : this;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            range.addRows(rows);
        }

        @Override
        public boolean hasClaims() {
            return true;
        }

        @Override
        public void addClaims(List<Claim> claims) {
            claims.add(range.claim());
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public int weight() {
            return Weight.OBJECT + range.weight();
        }
    }

    /**
     * Sets columns of a row whose key is computed, one after the other; {@link Value#NOTHING} takes one away. What it
     * holds itself is read by {@link Expression.Own}.
     */
    record Change(ComputedRow row, List<Assignment> assignments) implements Statement {
        /** What a column is set to. */
        public record Assignment(String column, Expression value) {}

        public Change {
            assignments = List.copyOf(assignments);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public void addRows(Set<RowKey> rows) {
            row.addRows(rows);
            assignments.forEach(each -> each.value.addRows(rows));
        }

        @Override
        public boolean hasClaims() {
            return true;
        }

        @Override
        public void addClaims(List<Claim> claims) {
            claims.add(new Claim(row.partition(), 1, false));
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public int weight() {
            int bytes = Weight.OBJECT + row.weight();
            for (Assignment each : assignments) {
                bytes += Weight.OBJECT + Weight.of(each.column) + each.value.weight();
            }
            return bytes;
        }
    }
}
