/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.CompletableFuture;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/** Where transactions are not configured: says so. */
public final class TransactionsOff implements TransactionRunner {
    @Override
    public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
        return refused();
    }

    @Override
    public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
        return refused();
    }

    private static CompletableFuture<Answer> refused() {
        return CompletableFuture.completedFuture(new Answer.Refused(
                Answer.Refusal.NOT_READY,
                "transactions are not configured at this node: name the data centres that take part in"
                        + " transactions.data_centres in meteorshower.yaml, the same at all nodes, and restart"));
    }
}
