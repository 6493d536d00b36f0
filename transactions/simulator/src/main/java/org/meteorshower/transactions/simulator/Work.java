/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.simulator.shelves.ComputedShelves;
import org.meteorshower.transactions.simulator.shelves.Shelves;

/** Draws transactions: lists that are appended to and read, and a bank whose sum never changes. */
final class Work {
    static final long START_BALANCE = 100;
    private static final int APPENDS_PER_LIST = 40;
    private static final String COLUMN = "v";

    /** Of a large row that is touched. */
    private static final String SMALL_COLUMN = "n";

    private static final int MOST_TOUCHED = 8;

    private final Plan.Work plan;
    private final Plan.Load load;
    private final Map<Integer, Integer> appends = new HashMap<>();
    private final Shelves shelves = new Shelves();
    private final Ends ends = new Ends();
    private final ComputedShelves computed = new ComputedShelves();
    private long values;
    private long loaded;

    Work(Plan plan) {
        this.plan = plan.work();
        this.load = plan.load();
    }

    long bankSum() {
        return START_BALANCE * plan.accounts();
    }

    Operation setUp(long nowMicros) {
        List<Statement> body = new ArrayList<>();
        for (int account = 0; account < plan.accounts(); account++) {
            body.add(new Statement.Put(account(account), COLUMN, constant(START_BALANCE)));
        }
        return new Operation(Operation.Kind.SET_UP, new Transaction(List.of(), body), List.of(), nowMicros);
    }

    Operation draw(SplittableRandom random, long nowMicros) {
        if (plan.scans() > 0 && random.nextDouble() < plan.scans()) {
            return new Operation(Operation.Kind.SCAN, new Transaction(List.of(), List.of()), List.of(), nowMicros);
        }
        if (plan.ends() > 0 && random.nextDouble() < plan.ends()) {
            return ends.draw(random, nowMicros);
        }
        if (plan.ranges() > 0 && random.nextDouble() < plan.ranges()) {
            Shelves.Drawn drawn = plan.computed() > 0 && random.nextDouble() < plan.computed()
                    ? computed.draw(random)
                    : shelves.draw(random);
            return new Operation(
                    drawn.reads() ? Operation.Kind.STRICT_READ : Operation.Kind.RANGES,
                    drawn.transaction(),
                    List.of(),
                    nowMicros);
        }
        double kind = random.nextDouble();
        if (random.nextDouble() < plan.hot()) {
            return lists(random, nowMicros, Operation.Kind.LISTS, true, true);
        } else if (kind < 0.5) {
            return lists(random, nowMicros, Operation.Kind.LISTS, false, true);
        } else if (kind < 0.75) {
            return transfer(random, nowMicros);
        } else if (kind < 0.85) {
            return lists(random, nowMicros, Operation.Kind.STRICT_READ, false, false);
        } else if (kind < 0.92) {
            return lists(random, nowMicros, Operation.Kind.SNAPSHOT_OF_LISTS, false, false);
        }
        return bank(nowMicros);
    }

    private Operation lists(
            SplittableRandom random, long nowMicros, Operation.Kind kind, boolean hot, boolean appending) {
        List<Operation.Access> accesses = new ArrayList<>();
        List<Statement> body = new ArrayList<>();
        int count = hot ? 1 : 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int slot = hot ? -1 : random.nextInt(plan.lists());
            String list = listName(slot);
            RowKey row = new RowKey("lists", list);
            Expression column = new Expression.Column(row, COLUMN);
            if (appending && (hot || random.nextInt(3) > 0)) {
                long value = ++values;
                appends.merge(slot, 1, Integer::sum);
                accesses.add(new Operation.Access(list, value));
                body.add(new Statement.Put(row, COLUMN, new Expression.Appended(column, constant(value))));
                if (random.nextBoolean()) {
                    accesses.add(new Operation.Access(list, null));
                    body.add(new Statement.Return(column));
                }
            } else {
                accesses.add(new Operation.Access(list, null));
                body.add(new Statement.Return(column));
            }
        }
        return new Operation(kind, new Transaction(List.of(), body), accesses, nowMicros);
    }

    /** Lists stay short: after some appends a slot goes on under another name. */
    private String listName(int slot) {
        return (slot < 0 ? "hot" : "l" + slot) + "." + appends.getOrDefault(slot, 0) / APPENDS_PER_LIST;
    }

    /** Half of them let the assert stand in the body, after the first write. */
    private Operation transfer(SplittableRandom random, long nowMicros) {
        int from = random.nextInt(plan.accounts());
        int to = (from + 1 + random.nextInt(plan.accounts() - 1)) % plan.accounts();
        Expression amount = constant(1 + random.nextInt(60));
        Expression held = new Expression.Column(account(from), COLUMN);
        Expression receives = new Expression.Column(account(to), COLUMN);
        Statement take = new Statement.Put(
                account(from), COLUMN, new Expression.Arithmetic(Expression.Arithmetic.Operation.MINUS, held, amount));
        Statement give = new Statement.Put(
                account(to), COLUMN, new Expression.Arithmetic(Expression.Arithmetic.Operation.PLUS, receives, amount));
        Transaction transaction;
        if (random.nextBoolean()) {
            Expression enough =
                    new Expression.Comparison(Expression.Comparison.Relation.GREATER_OR_EQUAL, held, amount);
            transaction = new Transaction(List.of(enough), List.of(take, give));
        } else {
            Expression notNegative =
                    new Expression.Comparison(Expression.Comparison.Relation.GREATER_OR_EQUAL, held, constant(0));
            transaction = new Transaction(List.of(), List.of(take, new Statement.Require(notNegative), give));
        }
        return new Operation(Operation.Kind.TRANSFER, transaction, List.of(), nowMicros);
    }

    /** Rows under new names, as large as the plan allows. */
    Operation load(SplittableRandom random, long nowMicros) {
        if (load.seeded() > 0 && random.nextInt(4) == 0) {
            return count(random, nowMicros);
        }
        List<Statement> body = new ArrayList<>();
        if (load.deletes() > 0 && loaded > 0 && random.nextInt(100) < load.deletes()) {
            for (int left = 1 + random.nextInt(load.mostRows()); left > 0; left--) {
                RowKey row = loadedRow(1 + random.nextLong(loaded));
                body.add(
                        random.nextInt(4) > 0
                                ? new Statement.Delete(row)
                                : new Statement.Put(row, COLUMN, constant(random.nextInt(1_000))));
            }
            return new Operation(Operation.Kind.LOAD, new Transaction(List.of(), body), List.of(), nowMicros);
        }
        if (load.touches() > 0 && loaded > 0 && random.nextInt(100) < load.touches()) {
            return touch(random, nowMicros);
        }
        for (int left = 1 + random.nextInt(load.mostRows()); left > 0; left--) {
            String content = "x".repeat(10 + random.nextInt(load.mostBytes()));
            body.add(new Statement.Put(loadedRow(++loaded), COLUMN, new Expression.Constant(Value.of(content))));
        }
        return new Operation(Operation.Kind.LOAD, new Transaction(List.of(), body), List.of(), nowMicros);
    }

    private Operation touch(SplittableRandom random, long nowMicros) {
        List<Statement> body = new ArrayList<>();
        for (int left = 1 + random.nextInt(MOST_TOUCHED); left > 0; left--) {
            RowKey row = loadedRow(1 + random.nextLong(loaded));
            body.add(new Statement.Put(row, SMALL_COLUMN, constant(random.nextInt(1_000))));
        }
        return new Operation(Operation.Kind.LOAD, new Transaction(List.of(), body), List.of(), nowMicros);
    }

    private static RowKey loadedRow(long number) {
        return new RowKey("loaded", "r" + number);
    }

    private Operation count(SplittableRandom random, long nowMicros) {
        RowKey row = seeded(random.nextInt(load.seeded()));
        Expression held = new Expression.Column(row, COLUMN);
        List<Statement> body = List.of(
                new Statement.Put(
                        row,
                        COLUMN,
                        new Expression.Arithmetic(Expression.Arithmetic.Operation.PLUS, held, constant(1))),
                new Statement.Return(new Expression.Column(row, COLUMN)));
        return new Operation(Operation.Kind.COUNT, new Transaction(List.of(), body), List.of(), nowMicros);
    }

    /** The rows that users had written before transactions began. */
    static Map<RowKey, Row> seeded(Plan plan) {
        Map<RowKey, Row> rows = new HashMap<>();
        for (int i = 0; i < plan.load().seeded(); i++) {
            rows.put(seeded(i), Row.ABSENT.with(COLUMN, Value.of(1_000L * i)));
        }
        if (plan.work().ranges() > 0) {
            rows.putAll(Shelves.seeded());
        }
        return rows;
    }

    private static RowKey seeded(int number) {
        return new RowKey("seeded", "s" + number);
    }

    private Operation bank(long nowMicros) {
        List<Statement> body = new ArrayList<>();
        for (int account = 0; account < plan.accounts(); account++) {
            body.add(new Statement.Return(new Expression.Column(account(account), COLUMN)));
        }
        return new Operation(Operation.Kind.SNAPSHOT_OF_BANK, new Transaction(List.of(), body), List.of(), nowMicros);
    }

    private static RowKey account(int number) {
        return new RowKey("accounts", "a" + number);
    }

    private static Expression constant(long value) {
        return new Expression.Constant(Value.of(value));
    }
}
