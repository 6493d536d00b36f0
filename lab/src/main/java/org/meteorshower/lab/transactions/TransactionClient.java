/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.concurrent.CompletionStage;

/** Runs transactions of one system from one data centre. Thread-safe. */
@FunctionalInterface
public interface TransactionClient {
    /** Does not wait. The stage always completes normally, on any thread: what goes wrong is an outcome. */
    CompletionStage<TransactionOutcome> run(Request request);
}
