/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Expression.Arithmetic;
import org.meteorshower.transactions.language.Expression.Column;
import org.meteorshower.transactions.language.Expression.Comparison;
import org.meteorshower.transactions.language.Expression.Constant;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.servers.Division;
import org.meteorshower.transactions.simulator.shelves.Shelves;

/** A merged order: entries of transactions that read, write, copy and move between rows. */
final class MergedWork {
    private static final int LANES = 3;

    private final ServersPlan plan;
    private final SplittableRandom random;
    private final List<SessionId> sessions = new ArrayList<>();
    private final List<Long> used = new ArrayList<>();
    private long entries;
    private final long[] positions = new long[LANES];
    private final Map<RowKey, Row> before = new TreeMap<>();
    private final ShelfWork shelves;

    /** By which values end; see {@link SimulatedEnds}. */
    private long nowMillis;

    MergedWork(ServersPlan plan) {
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed());
        this.shelves = new ShelfWork(plan, random);
        if (plan.claims() > 0) {
            before.putAll(ShelfWork.before());
        }
        for (int number = 0; number < plan.rows(); number++) {
            if (random.nextDouble() < plan.before()) {
                before.put(
                        row(number),
                        Row.ABSENT
                                .with("v", Value.of(random.nextInt(10)))
                                .with("t", Value.of("y".repeat(1 + random.nextInt(plan.bytes())))));
            }
        }
    }

    /** What users had written before any transaction. */
    Map<RowKey, Row> before() {
        return before;
    }

    /**
     * The next one.
     *
     * @param ends that are proposed
     */
    Merged next(long now, Collection<Request.ExpireRows> ends) {
        nowMillis = now;
        return entry(entries++, ends);
    }

    /** Rows r0, r1, ... are dealt out in turn, as partitions a0, a1, ... are; sessions by their names. */
    static Division division(int ranges) {
        return new Division() {
            @Override
            public int ranges() {
                return ranges;
            }

            @Override
            public long tokenOf(RowKey row) {
                if (SessionId.isRowOfOne(row)) {
                    return row.key().hashCode();
                }
                return row.table().equals(Shelves.TABLE)
                        ? ShelfWork.token(row)
                        : Integer.parseInt(row.key().substring(1));
            }

            @Override
            public int rangeOf(long token) {
                return Math.floorMod(token, ranges);
            }
        };
    }

    private Merged entry(long number, Collection<Request.ExpireRows> ends) {
        int lane = random.nextInt(LANES);
        long position = positions[lane]++;
        List<Submission> submissions = new ArrayList<>();
        ends.forEach(end -> submissions.add(new Submission(0, end)));
        boolean isOver = number >= plan.entries();
        int many = ends.size() + (isOver || random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(plan.perEntry()));
        for (int index = ends.size(); index < many; index++) {
            submissions.add(new Submission(0, request(new SessionId(lane, position, index))));
        }
        return new Merged(number, lane, position, number + 1, new Entry(number + 1, 1, submissions));
    }

    private Request request(SessionId place) {
        if (plan.across() == 0) {
            int first = random.nextInt(plan.rows());
            int second = first + plan.ranges() < plan.rows() ? first + plan.ranges() : first;
            return new Request.Once(new Transaction(
                    List.of(), List.of(put(row(first), plus(row(first), 1)), put(row(second), plus(row(second), 1)))));
        }
        int kind = random.nextInt(12);
        if (kind == 0) {
            sessions.add(place);
            used.add(0L);
            return new Request.Open();
        } else if (kind <= 3 && !sessions.isEmpty()) {
            int session = random.nextInt(sessions.size());
            boolean isRepeated = used.get(session) > 0 && random.nextInt(4) == 0;
            used.set(session, used.get(session) + (isRepeated ? 0 : 1));
            return random.nextInt(6) == 0
                    ? new Request.Resolve(sessions.get(session), used.get(session))
                    : new Request.Run(sessions.get(session), used.get(session), transaction());
        } else if (kind == 4) {
            return new Request.Read(new Transaction(
                    List.of(),
                    List.of(
                            new Statement.Return(value(row(random.nextInt(plan.rows())))),
                            new Statement.Return(value(row(random.nextInt(plan.rows())))))));
        }
        Transaction transaction = transaction();
        return plan.claims() > 0 && transaction.isReadOnly()
                ? new Request.Read(transaction)
                : new Request.Once(transaction);
    }

    private Transaction transaction() {
        int first = random.nextInt(plan.rows());
        RowKey a = row(first);
        if (plan.claims() > 0 && random.nextDouble() < plan.claims()) {
            return shelves.transaction(nowMillis, a);
        }
        RowKey b = row(other(first));
        double what = random.nextDouble();
        if (what < plan.deletes()) {
            return new Transaction(
                    List.of(), List.of(new Statement.Return(new Expression.Exists(a)), new Statement.Delete(a)));
        } else if (what < plan.deletes() + plan.ends()) {
            return ending(a, b);
        }
        return switch (random.nextInt(6)) {
            case 0 -> new Transaction(List.of(), List.of(put(a, plus(a, 1)), new Statement.Return(value(a))));
            case 1 -> new Transaction(List.of(), List.of(put(a, plus(b, 1)), new Statement.Return(value(a))));
            case 2 -> new Transaction(List.of(), List.of(put(b, plus(a, 1)), put(a, plus(b, 1))));
            case 3 ->
                new Transaction(
                        List.of(new Comparison(Comparison.Relation.GREATER, value(a), new Constant(Value.of(3)))),
                        List.of(put(a, plus(a, -3)), put(b, plus(b, 3)), new Statement.Return(value(b))));
            case 4 ->
                new Transaction(
                        List.of(),
                        List.of(new Statement.If(
                                new Comparison(Comparison.Relation.GREATER, value(a), value(b)),
                                List.of(put(b, plus(a, 1)), text(b)),
                                List.of(put(a, plus(b, 1)), text(a)))));
            default ->
                new Transaction(
                        List.of(),
                        random.nextInt(8) == 0
                                ? List.of(new Statement.Delete(a), new Statement.Return(value(b)))
                                : List.of(
                                        put(a, plus(a, 2)),
                                        text(a),
                                        put(row(random.nextInt(plan.rows())), plus(b, 1))));
        };
    }

    private Transaction ending(RowKey a, RowKey b) {
        long until = nowMillis + (random.nextInt(4) == 0 ? -random.nextLong(300_000) : random.nextLong(600_000));
        Expression value = new Expression.Ending(new Constant(Value.of(random.nextInt(1_000))), until);
        return new Transaction(
                List.of(),
                List.of(
                        new Statement.Return(new Expression.Exists(b)),
                        new Statement.Return(new Column(a, "e")),
                        new Statement.Put(random.nextInt(3) == 0 ? b : a, "e", value)));
    }

    /** Of the same range, mostly, where transactions keep to one. */
    private int other(int row) {
        int ranges = plan.ranges();
        if (random.nextDouble() < plan.across() || row + ranges >= plan.rows()) {
            return random.nextInt(plan.rows());
        }
        return row + ranges;
    }

    private static RowKey row(int number) {
        return new RowKey("t", "r" + number);
    }

    private static Expression value(RowKey row) {
        return new Expression.Choice(
                new Expression.IsNothing(new Column(row, "v")), new Constant(Value.of(0)), new Column(row, "v"));
    }

    private static Expression plus(RowKey row, long by) {
        return new Arithmetic(Arithmetic.Operation.PLUS, value(row), new Constant(Value.of(by)));
    }

    private static Statement put(RowKey row, Expression value) {
        return new Statement.Put(row, "v", value);
    }

    private Statement text(RowKey row) {
        return new Statement.Put(row, "t", new Constant(Value.of("x".repeat(1 + random.nextInt(plan.bytes())))));
    }
}
