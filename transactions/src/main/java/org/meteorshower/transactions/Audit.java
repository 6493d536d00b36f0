/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.TreeMap;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/** Compares with the other data centres what the same entries have done. What differs is a mistake, here or there. */
final class Audit {
    private static final long EVERY = 32;
    private static final int KEPT = 256;

    private final Turn turn;
    private final TreeMap<Long, Long> digests = new TreeMap<>();

    Audit(Turn turn) {
        this.turn = turn;
    }

    void executed(long count, long digest) {
        if (count % EVERY == 0) {
            digests.put(count, digest);
            if (digests.size() > KEPT) {
                digests.pollFirstEntry();
            }
        }
    }

    /** The last count at which a digest was taken; 0 where none was. */
    long count() {
        return digests.isEmpty() ? 0 : digests.lastKey();
    }

    long digest() {
        return digests.isEmpty() ? 0 : digests.lastEntry().getValue();
    }

    void heard(int dc, long count, long digest) {
        Long own = digests.get(count);
        if (own != null && own != digest) {
            turn.alarm(
                    Effect.AlarmKind.DIVERGED,
                    "data centre " + dc + " has another state than this one after the first " + count + " entries");
        }
    }
}
