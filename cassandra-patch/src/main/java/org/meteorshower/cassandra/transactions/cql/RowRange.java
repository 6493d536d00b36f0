/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.SinglePartitionReadQuery;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RangeForm;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Span;

/**
 * Which rows of one partition a statement means that does not name each of them: where they begin and end is known once
 * its markers have values, and which ones there are when the transaction runs. Immutable.
 */
final class RowRange {
    private final TableMetadata table;
    private final Fragment text;
    private final boolean whole;
    private final @Nullable ComputedWhere computed;
    private final Asking asking;

    /** What a prepared statement of Cassandra's says of its rows. */
    private interface Asking {
        Asked with(QueryOptions options, Binding whole);
    }

    private record Asked(List<ByteBuffer> partitions, Slices slices, boolean backward, RangePage page) {
        static final Asked NOTHING = of(List.of(), Slices.NONE);

        static Asked of(List<ByteBuffer> partitions, Slices slices) {
            return new Asked(partitions, slices, false, RangePage.whole(DataLimits.NO_LIMIT));
        }
    }

    /**
     * With its values.
     *
     * @param partition the place of its static columns
     * @param page that it is
     */
    record Part(Place partition, Span range, RangePage page) {}

    private RowRange(
            TableMetadata table, Fragment text, boolean whole, @Nullable ComputedWhere computed, Asking asking) {
        this.table = table;
        this.text = text;
        this.whole = whole && computed == null;
        this.computed = computed;
        this.asking = asking;
        try {
            RangeForm.orderOf(table);
        } catch (IllegalArgumentException e) {
            throw Errors.invalid(e.getMessage() + ": name the rows by their whole primary key (= or IN)");
        }
    }

    /** Whether it asks for rows of a partition without naming each, and for nothing that must be looked for. */
    static boolean isMeant(SelectStatement select) {
        StatementRestrictions where = select.getRestrictions();
        return where.isColumnRange() && !RowNames.isOfStaticRow(select) && !RowNames.isSearch(select);
    }

    /**
     * @param computed the part of its WHERE that is computed from rows; null where none is
     * @param paged whether it comes in pages where its client says how large
     * @throws InvalidRequestException if it cannot be read, saying why and what can be done
     */
    static RowRange of(SelectStatement select, Fragment text, @Nullable ComputedWhere computed, boolean paged) {
        StatementRestrictions where = select.getRestrictions();
        if (!paged) {
            mostOf(select); // so that a literal is refused at once
        }
        return new RowRange(
                select.table,
                text,
                !where.hasClusteringColumnsRestrictions(),
                computed,
                (options, whole) -> asked(select, options, whole, paged));
    }

    static boolean isMeant(ModificationStatement delete) {
        return delete.hasSlices() || delete.getRestrictions().isColumnRange();
    }

    /**
     * @param computed the part of its WHERE that is computed from rows; null where none is
     * @throws InvalidRequestException if it cannot be deleted, saying why and what can be done
     */
    static RowRange of(ModificationStatement delete, Fragment text, @Nullable ComputedWhere computed) {
        boolean whole = !delete.getRestrictions().hasClusteringColumnsRestrictions();
        return new RowRange(
                delete.metadata(),
                text,
                whole,
                computed,
                (options, binding) -> Asked.of(
                        delete.buildPartitionKeyNames(options, binding.client()),
                        whole ? Slices.ALL : delete.createSlices(options)));
    }

    /** What Cassandra would read itself. */
    private static Asked asked(SelectStatement select, QueryOptions options, Binding whole, boolean paged) {
        if (!(select.getQuery(
                        options,
                        whole.client(),
                        ColumnFilter.all(select.table),
                        0,
                        select.getLimit(options),
                        select.getPerPartitionLimit(options),
                        options.getPageSize(),
                        null)
                instanceof SinglePartitionReadQuery.Group<?> group)) {
            return Asked.NOTHING;
        }
        List<ByteBuffer> partitions = new ArrayList<>();
        for (SinglePartitionReadQuery each : group.queries) {
            partitions.add(each.partitionKey().getKey());
        }
        int limit = limit(select, options);
        RangePage page = paged ? RangePage.of(whole.options(), limit) : RangePage.whole(limit);
        ClusteringIndexFilter rows =
                page.rest(group.queries.get(0).clusteringIndexFilter(), select.table, partitions.get(0));
        return new Asked(partitions, rows.getSlices(select.table), rows.isReversed(), page);
    }

    private static int limit(SelectStatement select, QueryOptions options) {
        return Math.min(select.getLimit(options), select.getPerPartitionLimit(options));
    }

    /** The LIMIT; {@link Range#ALL} where there is none. A marker counts as 1: it may be so. */
    static int mostOf(SelectStatement select) {
        List<ByteBuffer> ones = Collections.nCopies(select.getBindVariables().size(), Int32Type.instance.decompose(1));
        return RangePage.whole(limit(select, QueryOptions.forInternalCalls(ones)))
                .most();
    }

    /** Whether its WHERE is computed from rows. */
    boolean isComputed() {
        return computed != null;
    }

    /** Whether it is all rows of the partition. */
    boolean isWholePartition() {
        return whole;
    }

    /** One, or none where no row can be meant. The same each time that one binding asks. */
    List<Part> parts(Binding binding) {
        return binding.once(this, () -> partsNow(binding));
    }

    private List<Part> partsNow(Binding binding) {
        Asked asked = asking.with(binding.of(text), binding);
        if (asked.partitions.isEmpty() || asked.slices.isEmpty()) {
            return List.of();
        } else if (asked.partitions.size() > 1) {
            throw new SeveralRangesException("a range of rows is of one partition, which the transaction has to itself,"
                    + " and this is of " + asked.partitions.size()
                    + ": write one statement for each, or name the rows of " + table
                    + " by their whole primary key: " + text);
        } else if (asked.slices.size() > 1) {
            throw new SeveralRangesException("a statement has one range of rows, and this has " + asked.slices.size()
                    + ": IN on some of the clustering columns, or several columns of both orders in one comparison."
                    + " Write one statement for each, or name the rows of " + table + " by their whole primary key: "
                    + text);
        }
        ByteBuffer partition = asked.partitions.get(0);
        QueryProcessor.validateKey(partition);
        Range range = RangeForm.of(table, partition, asked.slices.get(0), asked.backward, asked.page.most());
        return List.of(new Part(
                new Place(table, partition, Clustering.STATIC_CLUSTERING),
                computed == null ? range : computed.within(range, binding),
                asked.page));
    }
}
