/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.request;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;

/** A statement's options, but for one thing. */
public final class Options {
    private Options() {}

    public static QueryOptions at(ConsistencyLevel level, QueryOptions options) {
        return with(level, options.getPageSize(), options);
    }

    /** @param size of pages, in rows */
    public static QueryOptions paged(int size, QueryOptions options) {
        return with(options.getConsistency(), size, options);
    }

    private static QueryOptions with(ConsistencyLevel level, int pageSize, QueryOptions options) {
        return QueryOptions.create(
                level,
                options.getValues(),
                options.skipMetadata(),
                pageSize,
                options.getPagingState(),
                options.getSerialConsistency(),
                options.getProtocolVersion(),
                options.getKeyspace());
    }

    /** With these values, and without pages. */
    public static QueryOptions whole(List<ByteBuffer> values, QueryOptions options) {
        return QueryOptions.create(
                options.getConsistency(),
                values,
                false,
                -1,
                null,
                options.getSerialConsistency(),
                options.getProtocolVersion(),
                options.getKeyspace());
    }
}
