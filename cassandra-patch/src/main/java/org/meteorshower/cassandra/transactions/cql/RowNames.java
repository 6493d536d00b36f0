/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;

/** Which rows a statement means: known once its markers have values, before anything is read. Immutable. */
final class RowNames {
    /** One statement with more is refused. */
    static final int MOST_ROWS = 500;

    private final TableMetadata table;
    private final Fragment text;
    private final Naming naming;

    /** What a prepared statement of Cassandra's says of its rows. */
    private interface Naming {
        List<ByteBuffer> partitions(QueryOptions options, ClientState client);

        Collection<Clustering<?>> rows(QueryOptions options, ClientState client);
    }

    private RowNames(TableMetadata table, Fragment text, Naming naming) {
        this.table = table;
        this.text = text;
        this.naming = naming;
    }

    static RowNames of(ModificationStatement write, Fragment text) {
        boolean staticOnly = !write.getStaticOperations().isEmpty()
                && write.getRegularOperations().isEmpty()
                && !write.getRestrictions().hasClusteringColumnsRestrictions();
        if (write.hasSlices() || (write.getRestrictions().isColumnRange() && !staticOnly)) {
            throw Errors.invalid("columns are changed in rows of " + write.metadata()
                    + " that are named by their whole primary key (= or IN), and this is a range: leave the columns out,"
                    + " to delete its rows, or name the rows one by one");
        }
        return new RowNames(write.metadata(), text, new Naming() {
            @Override
            public List<ByteBuffer> partitions(QueryOptions options, ClientState client) {
                return write.buildPartitionKeyNames(options, client);
            }

            @Override
            public Collection<Clustering<?>> rows(QueryOptions options, ClientState client) {
                return write.createClustering(options, client);
            }
        });
    }

    static RowNames of(SelectStatement select, Fragment text) {
        StatementRestrictions where = select.getRestrictions();
        boolean staticOnly = isOfStaticRow(select);
        if (isSearch(select) || (where.isColumnRange() && !staticOnly)) {
            throw unknown(select.table);
        }
        return new RowNames(select.table, text, new Naming() {
            @Override
            public List<ByteBuffer> partitions(QueryOptions options, ClientState client) {
                return where.getPartitionKeys(options, client);
            }

            @Override
            public Collection<Clustering<?>> rows(QueryOptions options, ClientState client) {
                return staticOnly ? List.of(Clustering.STATIC_CLUSTERING) : where.getClusteringColumns(options, client);
            }
        });
    }

    /** Whether rows must be looked for by something else than their keys. */
    static boolean isSearch(SelectStatement select) {
        StatementRestrictions where = select.getRestrictions();
        return where.isKeyRange()
                || where.isPartitionKeyRestrictionsOnToken()
                || where.usesSecondaryIndexing()
                || where.isTopK()
                || where.hasNonPrimaryKeyRestrictions()
                || !where.getIndexRestrictions().isEmpty();
    }

    /** No column that belongs to a single row: then the partition's static columns are all that is asked for. */
    static boolean isOfStaticRow(SelectStatement select) {
        List<ColumnMetadata> columns = select.getSelection().getColumns();
        return !select.getRestrictions().hasClusteringColumnsRestrictions()
                && columns.stream().anyMatch(ColumnMetadata::isStatic)
                && columns.stream().allMatch(each -> each.isStatic() || each.isPartitionKey());
    }

    private static RuntimeException unknown(TableMetadata table) {
        return Errors.invalid("which rows of " + table + " a statement of a transaction means must be known before it"
                + " runs: name them by their whole primary key (= or IN), or as a range of one partition. This is of"
                + " many partitions, or a filter or an index. Read the keys first, then name the rows one by one.");
    }

    TableMetadata table() {
        return table;
    }

    /** The same each time that one binding asks, also where the key is of the moment, as {@code toDate(now())} is. */
    List<Place> places(Binding binding) {
        return binding.once(this, () -> placesNow(binding));
    }

    private List<Place> placesNow(Binding binding) {
        QueryOptions options = binding.of(text);
        List<Place> places = new ArrayList<>();
        for (ByteBuffer partition : naming.partitions(options, binding.client())) {
            QueryProcessor.validateKey(partition);
            for (Clustering<?> row : naming.rows(options, binding.client())) {
                if (places.size() == MOST_ROWS) {
                    throw Errors.invalid("one statement names more than " + MOST_ROWS + " rows of " + table
                            + ": cut the transaction into smaller ones");
                }
                places.add(new Place(table, partition, row));
            }
        }
        return places;
    }

    Place place(Binding binding) {
        List<Place> places = places(binding);
        if (places.size() != 1) {
            throw Errors.invalid("one row is meant to be named here, and there are " + places.size() + ": " + text);
        }
        return places.get(0);
    }
}
