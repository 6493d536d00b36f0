/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.Clock;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.Options;

/**
 * The values of one execution. Used by one thread.
 *
 * @param known what has been computed from them already, by who asked: a key that is {@code uuid()} is the same for all
 *     that ask
 * @param nowMillis when it was taken, by this node's clock: what it sets to end ends together, in all its parts
 */
record Binding(QueryOptions options, ClientState client, Map<Object, Object> known, long nowMillis) {
    Binding(QueryOptions options, ClientState client) {
        this(options, client, new IdentityHashMap<>(), Clock.Global.currentTimeMillis());
    }

    /** With these values only. */
    Binding part(int from, int to) {
        return withValues(options.getValues().subList(from, to));
    }

    /** With other values. */
    Binding withValues(List<ByteBuffer> values) {
        return new Binding(Options.whole(values, options), client, new IdentityHashMap<>(), nowMillis);
    }

    /** Computed at the first time. What is computed must be of one type for one that asks, and must not ask itself. */
    @SuppressWarnings("unchecked") // it was put there by the same one that asks
    <T> T once(Object asks, Supplier<T> computed) {
        Object before = known.get(asks);
        if (before != null) {
            return (T) before;
        }
        T now = computed.get();
        known.put(asks, now);
        return now;
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
        return Options.whole(values, options);
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
