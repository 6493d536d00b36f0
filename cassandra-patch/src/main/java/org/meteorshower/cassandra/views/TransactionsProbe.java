/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.port.Answer;

/**
 * {@code meteorshower.transactions_probe}: counters of the transactions' own, to see whether they go through and how
 * long it takes. {@code UPDATE … SET added = 1 WHERE name = 'x'} is a transaction that adds; a SELECT by name is a
 * strict read. Thread-safe; a statement waits for its transaction.
 */
public final class TransactionsProbe extends AbstractMutableVirtualTable {
    private static final String TABLE = "$probe";
    private static final String VALUE = "value";
    private static final String ADDED = "added";
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final TransactionRunner runner;

    public TransactionsProbe(TransactionRunner runner) {
        super(Show.define(
                        "transactions_probe",
                        "counters to try transactions with: UPDATE adds, SELECT by name reads strictly",
                        "name",
                        UTF8Type.instance)
                .addRegularColumn(ADDED, LongType.instance)
                .addRegularColumn(VALUE, LongType.instance)
                .addRegularColumn("token", LongType.instance)
                .addRegularColumn("micros", LongType.instance)
                .build());
        this.runner = runner;
    }

    @Override
    public DataSet data() {
        return new SimpleDataSet(metadata()); // names are not known
    }

    @Override
    public DataSet data(DecoratedKey key) {
        String name = UTF8Type.instance.compose(ByteBuffer.wrap(ByteBufferUtil.getArray(key.getKey())));
        Expression held = new Expression.Column(new RowKey(TABLE, name), VALUE);
        long begunNanos = System.nanoTime();
        Answer answer =
                run(new Transaction(List.of(), List.of(new Statement.Return(held))), TransactionRunner.Kind.STRICT);
        SimpleDataSet rows = new SimpleDataSet(metadata());
        if (answer instanceof Answer.Done done
                && done.outcome() instanceof Outcome.Committed committed
                && committed.values().get(0) instanceof Value.Whole whole) {
            rows.row(name)
                    .column(VALUE, whole.value())
                    .column("token", done.token())
                    .column("micros", (System.nanoTime() - begunNanos) / 1_000);
        } else if (!(answer instanceof Answer.Done)) {
            throw failed(answer);
        }
        return rows;
    }

    @Override
    protected void applyColumnUpdate(ColumnValues partition, ColumnValues row, Optional<ColumnValue> value) {
        if (value.isEmpty() || !value.get().name().equals(ADDED)) {
            throw new InvalidRequestException("MeteorShower: what can be set is " + ADDED);
        }
        long added = value.get().value();
        RowKey key = new RowKey(TABLE, partition.value(0));
        Expression held = new Expression.Column(key, VALUE);
        Expression sum = new Expression.Arithmetic(
                Expression.Arithmetic.Operation.PLUS, held, new Expression.Constant(Value.of(added)));
        // A counter that is not there counts as zero.
        Statement first = new Statement.Put(key, VALUE, new Expression.Constant(Value.of(added)));
        Answer answer = run(
                new Transaction(
                        List.of(),
                        List.of(new Statement.If(
                                new Expression.Exists(key),
                                List.of(new Statement.Put(key, VALUE, sum)),
                                List.of(first)))),
                TransactionRunner.Kind.WRITE);
        if (!(answer instanceof Answer.Done done) || !(done.outcome() instanceof Outcome.Committed)) {
            throw failed(answer);
        }
    }

    private static InvalidRequestException failed(Answer answer) {
        return new InvalidRequestException("MeteorShower: the transaction came to " + answer);
    }

    private Answer run(Transaction transaction, TransactionRunner.Kind kind) {
        try {
            return runner.run(
                            transaction,
                            new TransactionRunner.Terms(kind, 0, System.nanoTime() + PATIENCE_NANOS, null, 0))
                    .get(2 * PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unknown("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            return new Answer.Unknown(String.valueOf(e.getMessage()));
        }
    }
}
