/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringPrefix;
import org.meteorshower.protocol.Update;

/** The number that stands for a row within its partition, equal on all nodes. */
public final class RowHash {
    private RowHash() {}

    /** Never {@link Update#ANY_ROW}. The static row has a hash of its own. */
    public static long of(Clustering<?> clustering) {
        Hasher hasher = newHasher();
        put(hasher, clustering);
        long hash = hasher.hash().asLong();
        return hash == Update.ANY_ROW ? 1 : hash;
    }

    static Hasher newHasher() {
        return Hashing.murmur3_128(0x6d7368).newHasher();
    }

    static void put(Hasher hasher, ClusteringPrefix<?> prefix) {
        hasher.putUnencodedChars(prefix.kind().name()).putInt(prefix.size());
        for (int i = 0; i < prefix.size(); i++) {
            put(hasher, prefix.bufferAt(i));
        }
    }

    static void put(Hasher hasher, ByteBuffer value) {
        if (value == null) {
            hasher.putInt(-1);
        } else {
            hasher.putInt(value.remaining()).putBytes(value.duplicate());
        }
    }
}
