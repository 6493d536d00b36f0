/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Growing columns of a history under construction; not thread-safe, never changed after the build. */
final class HistoryColumns {
    static final List<Operation.Type> TYPES = List.of(Operation.Type.values());
    static final List<Operation.Status> STATUSES = List.of(Operation.Status.values());

    final StringTable sessions = new StringTable();
    final StringTable keys = new StringTable();
    final StringTable values = new StringTable();
    private final LongIntMap writers = new LongIntMap(); // (key, value) -> operation that wrote it

    int size;
    byte[] kind = new byte[16]; // type | status << 1
    int[] session = new int[16];
    int[] key = new int[16];
    int[] value = new int[16];
    long[] start = new long[16];
    long[] end = new long[16];
    long[] version = new long[16];
    int[] source = new int[16];
    int[] line = new int[16];

    int writer(int keyId, int valueId) {
        return writers.get((long) keyId << 32 | valueId);
    }

    /** The operation that wrote this value to this key before, or -1. */
    int writer(String keyName, @Nullable String valueName) {
        int keyId = keys.find(keyName);
        int valueId = values.find(valueName);
        return keyId < 0 || valueId < 0 ? -1 : writer(keyId, valueId);
    }

    void append(Operation op, int opSource, int opLine) {
        if (size == kind.length) {
            grow(size + (size >> 1));
        }
        int i = size++;
        kind[i] = (byte) (TYPES.indexOf(op.type()) | STATUSES.indexOf(op.status()) << 1);
        session[i] = sessions.intern(op.session());
        key[i] = keys.intern(op.key());
        String name = op.value();
        value[i] = name == null ? History.NULL_VALUE : values.intern(name);
        start[i] = op.startNanos();
        end[i] = op.status() == Operation.Status.UNKNOWN ? Operation.NO_END : op.endNanos();
        version[i] = op.version();
        source[i] = opSource;
        line[i] = opLine;
        if (op.type() == Operation.Type.WRITE && name != null) {
            writers.putIfAbsent((long) key[i] << 32 | value[i], i);
        }
    }

    private void grow(int capacity) {
        kind = Arrays.copyOf(kind, capacity);
        session = Arrays.copyOf(session, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
        start = Arrays.copyOf(start, capacity);
        end = Arrays.copyOf(end, capacity);
        version = Arrays.copyOf(version, capacity);
        source = Arrays.copyOf(source, capacity);
        line = Arrays.copyOf(line, capacity);
    }
}
