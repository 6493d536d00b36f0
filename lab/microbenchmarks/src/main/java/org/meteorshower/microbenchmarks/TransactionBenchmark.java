/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What transactions cost the cores of three data centres together: agreed on, merged, executed at each, written behind;
 * messages through their bytes. Without threads, network and store.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TransactionBenchmark {
    private static final int DATA_CENTRES = 3;

    /** Three data centres at work on a bank. */
    @State(Scope.Thread)
    public static class AtWork {
        private static final int ACCOUNTS = 10_000;
        private static final String COLUMN = "balance";

        /** Transfers that each data centre begins at once. */
        @Param({"1", "16", "256"})
        public int atOnce;

        /** The earlier form of entries, or that with fronts. */
        @Param({"7", "9"})
        public int format;

        private @Nullable TransactionCores cores;
        private int account;

        @Setup
        public void begin() {
            cores = new TransactionCores(DATA_CENTRES, format);
        }

        TransactionCores cores() {
            return Objects.requireNonNull(cores);
        }

        /** Reads two rows, tells one of them, and takes an amount from it to the other if there is so much. */
        Transaction next() {
            account = (account + 1) % ACCOUNTS;
            RowKey giver = new RowKey("bank.accounts", "a" + account);
            RowKey taker = new RowKey("bank.accounts", "a" + (account * 7 + 1) % ACCOUNTS);
            Expression held = new Expression.Column(giver, COLUMN);
            Expression amount = new Expression.Constant(Value.of(1));
            Statement transfer = new Statement.If(
                    new Expression.Comparison(
                            Expression.Comparison.Relation.GREATER_OR_EQUAL, new Expression.Variable("held"), amount),
                    List.of(
                            put(giver, Expression.Arithmetic.Operation.MINUS, amount),
                            put(taker, Expression.Arithmetic.Operation.PLUS, amount)),
                    List.of(new Statement.Put(giver, COLUMN, new Expression.Constant(Value.of(100)))));
            return new Transaction(
                    List.of(), List.of(new Statement.Let("held", held), new Statement.Return(held), transfer));
        }

        private static Statement put(RowKey row, Expression.Arithmetic.Operation operation, Expression amount) {
            return new Statement.Put(
                    row, COLUMN, new Expression.Arithmetic(operation, new Expression.Column(row, COLUMN), amount));
        }
    }

    /** So many transfers in each data centre, until all are answered: some milliseconds of ticks are in it. */
    @Benchmark
    public long transfers(AtWork state) {
        TransactionCores cores = state.cores();
        for (int i = 0; i < state.atOnce; i++) {
            for (int dc = 0; dc < DATA_CENTRES; dc++) {
                cores.submit(dc, state.next());
            }
        }
        return cores.settle();
    }
}
