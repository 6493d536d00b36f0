/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;

/**
 * How far a client has seen the orders of the groups of lanes: of each that it has seen anything of, a count.
 * Immutable.
 *
 * @param byGroup count by the group's number
 */
record Places(SortedMap<Integer, Long> byGroup) {
    static final Places NONE = new Places(new TreeMap<>());

    /** @throws BadTokenException if no node of this cluster made it */
    static Places decode(ByteBuffer token, TokenFormat format) throws BadTokenException {
        SortedMap<Integer, Long> places = new TreeMap<>();
        for (TokenFormat.Part part : format.parts(token)) {
            places.merge(part.group(), part.place(), Math::max);
        }
        return new Places(places);
    }

    ByteBuffer encode(TokenFormat format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Map.Entry<Integer, Long> place : byGroup.entrySet()) {
            bytes.writeBytes(
                    ByteBufferUtil.getArray(format.encode(new TokenFormat.Part(place.getKey(), place.getValue()))));
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    /** 0 where nothing of it was seen. */
    long of(int group) {
        return byGroup.getOrDefault(group, 0L);
    }

    /** The same, and this count of a group was seen. */
    Places seen(int group, long count) {
        SortedMap<Integer, Long> more = new TreeMap<>(byGroup);
        more.merge(group, count, Math::max);
        return new Places(more);
    }
}
