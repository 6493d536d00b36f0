/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Transactions that are prepared, by their text: each once, in the first data centre that answers. Thread-safe. */
final class PreparedTransactions {

    /** Texts that are kept. More than an application has, unless it puts values into them. */
    private static final int MOST = 1_000;

    private final List<DataCentre> dataCentres;

    /** The one used longest ago first. Guarded by itself. */
    private final Map<String, PreparedStatement> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PreparedStatement> eldest) {
            return size() > MOST;
        }
    };

    PreparedTransactions(List<DataCentre> dataCentres) {
        this.dataCentres = dataCentres;
    }

    CompletionStage<PreparedStatement> prepare(String cql) {
        synchronized (known) {
            PreparedStatement prepared = known.get(cql);
            if (prepared != null) {
                return CompletableFuture.completedFuture(prepared);
            }
        }
        return prepare(cql, dataCentres.iterator()).thenApply(prepared -> {
            synchronized (known) {
                known.put(cql, prepared);
            }
            return prepared;
        });
    }

    private static CompletionStage<PreparedStatement> prepare(String cql, Iterator<DataCentre> left) {
        return left.next().cql().prepareAsync(cql).exceptionallyCompose(failure -> {
            Throwable cause = TransactionFailures.rootOf(failure);
            return left.hasNext() && TransactionFailures.isPassing(cause)
                    ? prepare(cql, left)
                    : CompletableFuture.failedFuture(cause);
        });
    }
}
