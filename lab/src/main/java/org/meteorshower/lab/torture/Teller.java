/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.client.ResultLostException;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.client.transactions.TransactionStatement;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.RequestText;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** One client of transactions, of either kind. For one thread. */
interface Teller {
    /** What came of it; never throws for what the cluster did. */
    TransactionOutcome run(Request request);

    /** All these rows as of one place in the order; null where it cannot read so. Throws the driver's exceptions. */
    @Nullable
    List<Account> snapshot(List<Integer> rows);

    /** Where it asks now. */
    String dc();

    /**
     * The Java client: each transaction under a number, sent again to whoever answers until it is known what came of
     * it.
     */
    record Numbered(MeteorShowerTransactions transactions, MeteorShowerSession session, String table)
            implements Teller {
        @Override
        public TransactionOutcome run(Request request) {
            try {
                return RequestText.outcome(
                        request,
                        transactions
                                .execute(TransactionStatement.of(
                                        RequestText.of(request.kind(), table), RequestText.values(request)))
                                .one()
                                .orElse(null));
            } catch (UnknownOutcomeException | ResultLostException e) {
                return TransactionOutcome.unknown(0, reason(e));
            } catch (DriverException e) {
                return TransactionOutcome.aborted(0, reason(e)); // as it promises
            }
        }

        @Override
        public List<Account> snapshot(List<Integer> rows) {
            Row answer = transactions
                    .snapshot(TransactionStatement.of(RequestText.lookAll(table, rows.size()), rows.toArray()))
                    .one()
                    .orElseThrow();
            return RequestText.accounts(rows, answer);
        }

        @Override
        public String dc() {
            return session.dataCentre();
        }
    }

    /** A stock driver in one data centre: each transaction sent once, without a number. */
    record Plain(CqlSession session, String dc, String table) implements Teller {
        @Override
        public TransactionOutcome run(Request request) {
            try {
                return RequestText.outcome(
                        request,
                        session.execute(SimpleStatement.newInstance(
                                        RequestText.of(request.kind(), table), RequestText.values(request)))
                                .one());
            } catch (DriverException e) {
                return isCertain(e)
                        ? TransactionOutcome.aborted(0, reason(e))
                        : TransactionOutcome.unknown(0, reason(e));
            }
        }

        /** Whether that is how a node says that a transaction has not happened and never will. */
        private static boolean isCertain(DriverException failure) {
            if (failure instanceof AllNodesFailedException all) {
                return all.getAllErrors().values().stream()
                        .flatMap(List::stream)
                        .allMatch(each -> each instanceof DriverException one && isCertain(one));
            }
            return failure instanceof UnavailableException
                    || failure instanceof OverloadedException
                    || failure instanceof QueryValidationException;
        }

        @Override
        public @Nullable List<Account> snapshot(List<Integer> rows) {
            return null;
        }
    }

    private static String reason(Exception failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
