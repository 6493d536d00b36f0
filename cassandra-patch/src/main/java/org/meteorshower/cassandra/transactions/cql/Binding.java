/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/** The values of one execution. */
record Binding(QueryOptions options, ClientState client) {

    /** With these values only. */
    Binding part(int from, int to) {
        return new Binding(with(options.getValues().subList(from, to)), client);
    }

    /** The options for a piece of the transaction: with the values of its markers. */
    QueryOptions of(Fragment fragment) {
        return of(fragment.markers());
    }

    QueryOptions of(List<Integer> markers) {
        List<ByteBuffer> values = new ArrayList<>(markers.size());
        for (int marker : markers) {
            values.add(options.getValues().get(marker));
        }
        return with(values);
    }

    private QueryOptions with(List<ByteBuffer> values) {
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

    /** Whether a term that is nothing but this marker was left unset. */
    boolean isUnset(Fragment marker) {
        return marker.markers().size() == 1
                && isUnset(options.getValues().get(marker.markers().get(0)));
    }

    @SuppressWarnings(
            "ReferenceEquality") // Cassandra's sign for it is this very buffer; its content is that of an empty value
    static boolean isUnset(@Nullable ByteBuffer bytes) {
        return bytes == ByteBufferUtil.UNSET_BYTE_BUFFER;
    }
}
