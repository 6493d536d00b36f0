/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.transactions.Change;
import org.meteorshower.client.transactions.Condition;
import org.meteorshower.client.transactions.Expr;
import org.meteorshower.client.transactions.RowQuery;
import org.meteorshower.client.transactions.TransactionBuilder;
import org.meteorshower.client.transactions.TransactionStatement;

/**
 * One try of an interactive transaction: what it has read, and what it will write.
 *
 * <p>Guaranteed: where it commits, all that was written and all that was read stand at one place in the order of
 * transactions. The rows that were read then held the same values (in the columns that were read) as when they were
 * read, so it is as if the code had run there in one moment. It commits at most once. Where it writes nothing and has
 * read one row or none, there is nothing to commit: that was a snapshot.
 *
 * <p>Not guaranteed: that several rows read in one try belong together <em>while the code runs</em>; each is read as of
 * a place in the order that is no earlier than those of the reads before. Where they do not, the commit fails and the
 * code is run again; it must bear odd combinations until then. Reads do not see what was written in the same try.
 * Contention can make it fail, unlike a transaction that is sent as a whole.
 *
 * <p>What is read and written must be of tables of one group of data centres, as for any transaction: of several, the
 * commit is refused.
 *
 * <p>For the thread that runs the code.
 */
public final class InteractiveTransaction {

    private final MeteorShowerTransactions transactions;
    private final List<Seen> reads = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /** @param row null where there was none */
    private record Seen(RowQuery query, @Nullable Row row) {}

    InteractiveTransaction(MeteorShowerTransactions transactions) {
        this.transactions = transactions;
    }

    /** The row, in a snapshot; empty if there is none. Throws what {@link MeteorShowerTransactions#snapshot} throws. */
    public Optional<Row> read(RowQuery query) {
        Optional<Row> row = transactions
                .snapshot(TransactionStatement.builder().returning(query).build())
                .one();
        reads.add(new Seen(query, row.orElse(null)));
        return row;
    }

    /** To be made when the code has ended. */
    public void write(Change... more) {
        changes.addAll(Arrays.asList(more));
    }

    /** Whether it has happened; if not, others have changed what was read. */
    boolean commit() {
        if (changes.isEmpty()) {
            return reads.size() < 2 || isStillSo();
        }
        TransactionBuilder commit = TransactionStatement.builder();
        Condition unchanged = null;
        for (int i = 0; i < reads.size(); i++) {
            commit.let("r" + i, reads.get(i).query);
            Condition same = same("r" + i, reads.get(i).row);
            unchanged = unchanged == null ? same : unchanged.and(same);
        }
        Change[] all = changes.toArray(new Change[0]);
        if (unchanged == null) {
            commit.change(all);
        } else {
            commit.when(unchanged).then(all);
        }
        return transactions.execute(commit.build()).applied();
    }

    private static Condition same(String name, @Nullable Row row) {
        if (row == null) {
            return Condition.isMissing(name);
        }
        Condition same = Condition.exists(name);
        for (Map.Entry<String, @Nullable Object> column : valuesOf(row).entrySet()) {
            Expr now = Expr.of(name + "." + column.getKey());
            Object then = column.getValue();
            same = same.and(then == null ? now.isNull() : now.isEqualTo(then));
        }
        return same;
    }

    /** Reads all rows again, as one. */
    private boolean isStillSo() {
        TransactionBuilder again = TransactionStatement.builder();
        List<Expr> columns = new ArrayList<>();
        List<Predicate<@Nullable Object>> same = new ArrayList<>();
        for (int i = 0; i < reads.size(); i++) {
            RowQuery query = reads.get(i).query.withKey();
            Row row = reads.get(i).row;
            String name = "r" + i;
            again.let(name, query);
            columns.add(Expr.of(name + "." + query.keyColumns().get(0)));
            same.add(key -> (key == null) == (row == null));
            if (row != null) {
                valuesOf(row).forEach((column, value) -> {
                    columns.add(Expr.of(name + "." + column));
                    same.add(now -> Objects.equals(now, value));
                });
            }
        }
        Row now = transactions
                .execute(again.returning(columns.toArray(new Expr[0])).build())
                .one()
                .orElseThrow(() -> new MalformedPayloadException("The coordinator answered a transaction's SELECT"
                        + " without a row: check that its plugin and this client are of one version"));
        return IntStream.range(0, same.size()).allMatch(i -> same.get(i).test(now.getObject(i)));
    }

    private static Map<String, @Nullable Object> valuesOf(Row row) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (ColumnDefinition column : row.getColumnDefinitions()) {
            values.put(column.getName().asCql(true), row.getObject(column.getName()));
        }
        return values;
    }
}
