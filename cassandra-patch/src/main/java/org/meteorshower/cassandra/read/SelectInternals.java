/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.aggregation.AggregationSpecification;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.service.ClientState;
import org.jspecify.annotations.Nullable;

/**
 * The one private method of Cassandra's that reads need: it turns rows into a result. Looked up once, at start, so that
 * a release without it is found before any request is.
 */
public final class SelectInternals {
    private static final String METHOD = "process";

    private final MethodHandle process;

    /** @throws IllegalStateException if this release of Cassandra has no such method */
    public SelectInternals() {
        try {
            process = MethodHandles.privateLookupIn(SelectStatement.class, MethodHandles.lookup())
                    .findVirtual(
                            SelectStatement.class,
                            METHOD,
                            MethodType.methodType(
                                    ResultSet.class,
                                    PartitionIterator.class,
                                    QueryOptions.class,
                                    Selectors.class,
                                    long.class,
                                    int.class,
                                    AggregationSpecification.class,
                                    boolean.class,
                                    ClientState.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this release of Cassandra builds results in another way (" + e
                            + "): install the plugin made for it, or remove the -javaagent option",
                    e);
        }
    }

    /** @param nowInSec as of when the result is built */
    ResultSet process(
            RowsAsked asked,
            PartitionIterator partitions,
            Selectors selectors,
            long nowInSec,
            @Nullable AggregationSpecification aggregation) {
        SelectStatement select = asked.select();
        QueryOptions options = asked.options();
        int limit = select.getLimit(options);
        boolean unmask = asked.unmask();
        ClientState client = asked.client();
        try {
            return (ResultSet) process.invokeExact(
                    select, partitions, options, selectors, nowInSec, limit, aggregation, unmask, client);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("undeclared exception", e);
        }
    }
}
