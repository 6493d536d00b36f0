/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.CompletableFuture;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/** Where there are no transactions: says why. Stateless. */
public final class TransactionsOff implements TransactionRunner {
    public static final String NOT_CONFIGURED =
            "transactions are not configured at this node: name the data centres that take part in"
                    + " transactions.data_centres in meteorshower.yaml, the same at all nodes, and restart";

    static final String NO_SUCH_GROUP = "this node does not know yet which data centres take part in these"
            + " transactions: its schema is behind, or transactions.data_centres differs from that of other nodes";

    private final String why;

    public TransactionsOff(String why) {
        this.why = why;
    }

    @Override
    public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
        return refused();
    }

    @Override
    public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
        return refused();
    }

    private CompletableFuture<Answer> refused() {
        return CompletableFuture.completedFuture(new Answer.Refused(Answer.Refusal.NOT_READY, why));
    }
}
