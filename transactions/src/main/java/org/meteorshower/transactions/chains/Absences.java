/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.Version;

/**
 * Rows of which the tables hold that they are absent, since which version: that goes when nobody needs it any more. As
 * many as there is room for; that there are others is known, and they can be looked for.
 */
final class Absences {
    /** Of one, besides its key. */
    private static final long WEIGHT = 96;

    private final long mostBytes;
    private final Map<RowKey, Long> absent = new LinkedHashMap<>();
    private long bytes;

    /**
     * The newest version of an absent row that is not noted above, for want of room or since an earlier process wrote
     * it; 0 for none.
     */
    private long missedVersion;

    /** @param written so many merged entries' writes the tables hold */
    Absences(long mostBytes, long written) {
        this.mostBytes = mostBytes;
        this.missedVersion = newestUpTo(written);
    }

    private static long newestUpTo(long count) {
        return count == 0 ? 0 : Version.endOf(count) - 1;
    }

    long bytes() {
        return bytes;
    }

    void note(RowKey key, long version) {
        if (absent.getOrDefault(key, 0L) >= version) {
            return;
        }
        forget(key);
        if (hasRoom()) {
            absent.put(key, version);
            bytes += weight(key);
        } else {
            missedVersion = Math.max(missedVersion, version);
        }
    }

    boolean hasRoom() {
        return bytes < mostBytes;
    }

    void forget(RowKey key) {
        if (absent.remove(key) != null) {
            bytes -= weight(key);
        }
    }

    private static long weight(RowKey key) {
        return WEIGHT + Weight.of(key);
    }

    /** Since when the row is absent. To be asked of one that {@link #before} has told. */
    long since(RowKey key) {
        return absent.getOrDefault(key, 0L);
    }

    /** Some of those that were absent before a version. */
    List<RowKey> before(long version, int most) {
        List<RowKey> keys = new ArrayList<>();
        for (Map.Entry<RowKey, Long> each : absent.entrySet()) {
            if (keys.size() == most) {
                break;
            } else if (each.getValue() < version) {
                keys.add(each.getKey());
            }
        }
        return keys;
    }

    long missedVersion() {
        return missedVersion;
    }

    void lookingForMissed() {
        missedVersion = 0;
    }

    /** The tables hold something else now. */
    void jump(long count) {
        absent.clear();
        bytes = 0;
        missedVersion = newestUpTo(count);
    }
}
