/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.ReadQuery;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.SinglePartitionReadQuery;
import org.apache.cassandra.db.aggregation.AggregationSpecification;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.pager.AggregationQueryPager;
import org.apache.cassandra.service.pager.QueryPager;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.read.ServedRead.Source;

/** Runs a SELECT of named partitions as Cassandra does, on rows that come from a {@link Source}. Thread-safe. */
public final class SelectRunner {
    private final SelectInternals internals;

    public SelectRunner(SelectInternals internals) {
        this.internals = internals;
    }

    /**
     * @param nowInSec at least as early as what the source's rows are as of: they are live already
     * @param source told for each partition, once per page; its answer may depend on the page
     * @param nowOfResult asked once the rows are there: as of when the result is built (what TTL() says)
     */
    ResultMessage.Rows run(
            SelectStatement select,
            QueryOptions options,
            ClientState client,
            boolean unmask,
            long nowInSec,
            SourceOf source,
            java.util.function.LongSupplier nowOfResult) {
        Selectors selectors = select.getSelection().newSelectors(options);
        AggregationSpecification aggregation = select.getAggregationSpec(options);
        int pageSize = options.getPageSize();
        int limit = select.getLimit(options);
        ReadQuery query = select.getQuery(
                options,
                client,
                selectors.getColumnFilter(),
                nowInSec,
                limit,
                select.getPerPartitionLimit(options),
                pageSize,
                aggregation);
        ReadQuery served = servedBy(query, source);
        ReadExecutionController controller = ReadExecutionController.empty();
        if (aggregation == null && (pageSize <= 0 || query.limits().count() <= pageSize)) {
            try (PartitionIterator rows = served.executeInternal(controller)) {
                return new ResultMessage.Rows(internals.process(
                        select, rows, options, selectors, nowOfResult.getAsLong(), limit, null, unmask, client));
            }
        }
        refuseUnpageable(select, pageSize);
        Guardrails.pageSize.guard(pageSize, select.table(), false, client);
        QueryPager pager = pagerOf(served, options, aggregation);
        ResultSet result;
        try (PartitionIterator rows = pager.fetchPageInternal(pageSize, controller)) {
            result = internals.process(
                    select, rows, options, selectors, nowOfResult.getAsLong(), limit, aggregation, unmask, client);
        }
        // Known only once the page is closed.
        if (!pager.isExhausted()) {
            result.metadata.setHasMorePages(pager.state());
        }
        return new ResultMessage.Rows(result);
    }

    /** Chooses where the rows of one partition come from. */
    @FunctionalInterface
    interface SourceOf {
        Source source(SinglePartitionReadCommand command);
    }

    private static ReadQuery servedBy(ReadQuery query, SourceOf source) {
        if (!(query instanceof SinglePartitionReadQuery.Group<?> group)) {
            return query; // it selects nothing
        }
        List<SinglePartitionReadCommand> served = new ArrayList<>(group.queries.size());
        for (SinglePartitionReadQuery each : group.queries) {
            SinglePartitionReadCommand command = (SinglePartitionReadCommand) each;
            served.add(new ServedRead(command, source.source(command)));
        }
        return SinglePartitionReadCommand.Group.create(served, group.limits());
    }

    private static QueryPager pagerOf(
            ReadQuery query, QueryOptions options, @Nullable AggregationSpecification aggregation) {
        QueryPager pager = query.getPager(options.getPagingState(), options.getProtocolVersion());
        return aggregation == null || query.isEmpty() ? pager : new AggregationQueryPager(pager, query.limits());
    }

    private static void refuseUnpageable(SelectStatement select, int pageSize) {
        if (pageSize > 0 && select.getRestrictions().keyIsInRelation() && !select.parameters.orderings.isEmpty()) {
            throw new InvalidRequestException("Cannot page a query with both ORDER BY and IN on the partition key:"
                    + " remove one of the two and sort in the client, or disable paging for this query");
        }
    }
}
