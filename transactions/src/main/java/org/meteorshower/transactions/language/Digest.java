/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Map;

/** Mixes contents into 64 bits, the same in every process: for the audit that finds data centres that differ. */
public final class Digest {
    private Digest() {}

    public static long mix(long digest, long part) {
        long mixed = (digest ^ part) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return mixed ^ (mixed >>> 29);
    }

    public static long mix(long digest, String text) {
        long mixed = mix(digest, text.length());
        for (int i = 0; i < text.length(); i++) {
            mixed = mixed * 31 + text.charAt(i);
        }
        return mix(mixed, 1);
    }

    public static long mix(long digest, Value value) {
        if (value instanceof Value.Whole whole) {
            return mix(mix(digest, 2), whole.value());
        } else if (value instanceof Value.Text text) {
            return mix(mix(digest, 3), text.value());
        } else if (value instanceof Value.Truth truth) {
            return mix(mix(digest, 4), truth.value() ? 1 : 0);
        } else if (value instanceof Value.Items items) {
            long mixed = mix(mix(digest, 5), items.values().size());
            for (Value item : items.values()) {
                mixed = mix(mixed, item);
            }
            return mixed;
        } else if (value instanceof Value.Typed typed) {
            return mix(mix(digest, 7), typed);
        } else if (value instanceof Value.Members members) {
            long mixed = mix(mix(digest, 8), members.values().size());
            for (Value.Typed member : members.values()) {
                mixed = mix(mixed, member);
            }
            return mixed;
        } else if (value instanceof Value.Entries entries) {
            long mixed = mix(mix(digest, 9), entries.values().size());
            for (Map.Entry<Value.Typed, Value.Typed> entry : entries.values().entrySet()) {
                mixed = mix(mix(mixed, entry.getKey()), entry.getValue());
            }
            return mixed;
        } else if (value instanceof Value.Expiring expiring) {
            return mix(mix(mix(digest, 10), expiring.untilMillis()), expiring.value());
        }
        return mix(digest, 6);
    }

    private static long mix(long digest, Value.Typed typed) {
        byte[] bytes = typed.bytes().shared();
        long mixed = mix(mix(digest, typed.kind().code()), bytes.length);
        for (byte each : bytes) {
            mixed = mixed * 31 + each;
        }
        return mix(mixed, 1);
    }

    public static long mix(long digest, RowKey key) {
        return mix(mix(digest, key.table()), key.key());
    }

    public static long mix(long digest, Row row) {
        long mixed = mix(digest, row.columns().size());
        for (Map.Entry<String, Value> column : row.columns().entrySet()) {
            mixed = mix(mix(mixed, column.getKey()), column.getValue());
        }
        return mixed;
    }
}
