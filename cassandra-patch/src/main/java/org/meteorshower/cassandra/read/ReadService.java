/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.runtime.ReadRefusedException;

/** Serves SELECTs of named partitions at a cut. The caller has authorized and validated them. Thread-safe. */
public final class ReadService {
    private final SelectRunner runner;
    private final PartitionFetch fetch;

    public ReadService(SelectRunner runner, PartitionFetch fetch) {
        this.runner = runner;
        this.fetch = fetch;
    }

    /**
     * @param info how it was served, summed up over its partitions; null if it selects no partition at all
     * @param latestCutMicros what the session has seen by now; 0 if nothing
     * @param elsewhere whether another node has served any of its partitions
     */
    public record Outcome(ResultMessage.Rows rows, @Nullable ReadInfo info, long latestCutMicros, boolean elsewhere) {}

    /** @param unmask whether the client may see masked columns as they are */
    public Outcome read(
            SelectStatement select, QueryOptions options, ClientState client, boolean unmask, ReadTerms terms)
            throws ReadRefusedException {
        Fetches fetches = new Fetches(fetch, terms);
        boolean aggregates = select.getAggregationSpec(options) != null;
        try {
            // Rows come in live as of their cut, so any earlier "now" leaves them so: the beginning of time will do.
            ResultMessage.Rows rows = runner.run(
                    select,
                    options,
                    client,
                    unmask,
                    0,
                    command -> aggregates ? fetches.whole(command) : fetches.paged(),
                    () -> secondsOf(fetches.sum()));
            return new Outcome(rows, fetches.sum(), fetches.latestCutMicros(), fetches.elsewhere());
        } catch (Fetches.NotFetched e) {
            throw e.refusal();
        }
    }

    private static long secondsOf(@Nullable ReadInfo info) {
        return info == null ? 0 : info.cutMicros() / 1_000_000;
    }
}
