/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.ReadQuery;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.SinglePartitionReadQuery;
import org.apache.cassandra.db.aggregation.AggregationSpecification;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.pager.AggregationQueryPager;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.service.pager.QueryPager;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.read.ServedRead.Source;

/** Runs a SELECT as Cassandra does, on rows that come from a {@link Source}. Thread-safe. */
public final class SelectRunner {
    /** Rows come in live as of when they are read, and so any earlier "now" leaves them. */
    private static final long BEGINNING_OF_TIME = 0;

    private static final int AGGREGATED_ROWS = 5_000;

    private final SelectInternals internals;

    public SelectRunner(SelectInternals internals) {
        this.internals = internals;
    }

    /**
     * @param sources told for each partition, once per page; an answer may depend on the page. Rows are live as of when
     *     they are read
     * @param nowOfResult asked once the rows are there: as of when the result is built (what TTL() says)
     */
    ResultMessage.Rows run(RowsAsked asked, SourceOf sources, LongSupplier nowOfResult) {
        QueryOptions options = asked.options();
        Selectors selectors = asked.select().getSelection().newSelectors(options);
        AggregationSpecification aggregation = asked.select().getAggregationSpec(options);
        ReadQuery query = queryOf(asked, selectors, aggregation);
        ReadQuery served = servedBy(query, sources);
        ReadExecutionController controller = ReadExecutionController.empty();
        int pageSize = pageSize(query, options, aggregation);
        if (aggregation == null && (pageSize <= 0 || query.limits().count() <= pageSize)) {
            try (PartitionIterator rows = served.executeInternal(controller)) {
                return new ResultMessage.Rows(internals.process(asked, rows, selectors, nowOfResult.getAsLong(), null));
            }
        }
        refuseUnpageable(asked.select(), pageSize);
        Guardrails.pageSize.guard(pageSize, asked.select().table(), false, asked.client());
        QueryPager pager = pagerOf(served, options, aggregation);
        ResultSet result;
        try (PartitionIterator rows = pager.fetchPageInternal(pageSize, controller)) {
            result = internals.process(asked, rows, selectors, nowOfResult.getAsLong(), aggregation);
        }
        // Known only once the page is closed.
        if (!pager.isExhausted()) {
            PagingState next = pager.state();
            boolean isScan = query instanceof PartitionRangeReadCommand && next != null;
            result.metadata.setHasMorePages(isScan ? PageCut.stamped(next, sources.scannedAtMicros()) : next);
        }
        return new ResultMessage.Rows(result);
    }

    /** An aggregate of a range is gathered in pages, also where its one row is not asked for in pages. */
    private static int pageSize(ReadQuery query, QueryOptions options, @Nullable AggregationSpecification aggregation) {
        boolean whole = aggregation != null && query instanceof PartitionRangeReadCommand && options.getPageSize() <= 0;
        return whole ? AGGREGATED_ROWS : options.getPageSize();
    }

    private static ReadQuery queryOf(
            RowsAsked asked, Selectors selectors, @Nullable AggregationSpecification aggregation) {
        SelectStatement select = asked.select();
        // Of one node: what an index of it finds is filtered there, and reconciled with nobody else's.
        QueryOptions options = QueryOptions.withConsistencyLevel(asked.options(), ConsistencyLevel.ONE);
        return select.getQuery(
                options,
                asked.client(),
                selectors.getColumnFilter(),
                BEGINNING_OF_TIME,
                select.getLimit(options),
                select.getPerPartitionLimit(options),
                options.getPageSize(),
                aggregation);
    }

    /** Chooses where the rows come from. */
    @FunctionalInterface
    interface SourceOf {
        /** Those of one partition. */
        Source source(SinglePartitionReadCommand command);

        /** Those of a range of partitions, in all its pages. */
        default ServedScan.Source scan(PartitionRangeReadCommand command) {
            throw new IllegalStateException("no scans here: " + command.metadata());
        }

        /** The cut of the scan, once its rows are there. */
        default long scannedAtMicros() {
            return 0;
        }
    }

    private static ReadQuery servedBy(ReadQuery query, SourceOf sources) {
        if (query instanceof PartitionRangeReadCommand range) {
            ScanRules.requireServable(range);
            return new ServedScan(range, sources.scan(range));
        }
        if (!(query instanceof SinglePartitionReadQuery.Group<?> group)) {
            return query; // it selects nothing
        }
        List<SinglePartitionReadCommand> served = new ArrayList<>(group.queries.size());
        for (SinglePartitionReadQuery each : group.queries) {
            SinglePartitionReadCommand command = (SinglePartitionReadCommand) each;
            ScanRules.requireServable(command);
            served.add(new ServedRead(command, sources.source(command)));
        }
        return SinglePartitionReadCommand.Group.create(served, group.limits());
    }

    private static QueryPager pagerOf(
            ReadQuery query, QueryOptions options, @Nullable AggregationSpecification aggregation) {
        PagingState from = options.getPagingState();
        boolean isScan = query instanceof PartitionRangeReadCommand;
        QueryPager pager = query.getPager(isScan ? PageCut.without(from) : from, options.getProtocolVersion());
        return aggregation == null || query.isEmpty() ? pager : new AggregationQueryPager(pager, query.limits());
    }

    private static void refuseUnpageable(SelectStatement select, int pageSize) {
        if (pageSize > 0 && select.getRestrictions().keyIsInRelation() && !select.parameters.orderings.isEmpty()) {
            throw new InvalidRequestException("Cannot page a query with both ORDER BY and IN on the partition key:"
                    + " remove one of the two and sort in the client, or disable paging for this query");
        }
    }
}
