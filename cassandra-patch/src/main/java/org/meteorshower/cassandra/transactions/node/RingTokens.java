/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.meteorshower.transactions.fronts.Tokens;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.SessionId;

/**
 * Where Cassandra's default partitioner has a row, whichever one the cluster has: by the hash of its partition's key.
 * Keys that are nobody's, such as those of sessions, are hashed as text. Stateless: any thread.
 *
 * <p>What is found here stands in entries, and is executed by: where it changes that is another format.
 */
final class RingTokens implements Tokens {
    private static final HexFormat HEX = HexFormat.of();

    @Override
    public long tokenOf(RowKey row) {
        return Murmur3Partitioner.instance.getToken(partition(row)).getLongValue();
    }

    private static ByteBuffer partition(RowKey row) {
        String key = row.key();
        if (SessionId.isRowOfOne(row)) {
            return text(row); // its numbers would be taken for a partition's key
        }
        int dot = key.indexOf('.');
        try {
            return ByteBuffer.wrap(HEX.parseHex(key, 0, dot < 0 ? key.length() : dot));
        } catch (IllegalArgumentException e) {
            return text(row);
        }
    }

    private static ByteBuffer text(RowKey row) {
        return ByteBuffer.wrap((row.table() + "/" + row.key()).getBytes(StandardCharsets.UTF_8));
    }
}
