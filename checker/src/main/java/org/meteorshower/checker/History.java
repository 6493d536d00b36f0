/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of all sessions, each session's in program order. Immutable once built, hence safe to share. Kept in
 * columns: about 60 bytes an operation beside the strings, so that a million fit easily.
 */
public final class History {
    static final int NULL_VALUE = -1;

    private final HistoryColumns columns;
    private final List<String> sources;

    History(HistoryColumns columns, List<String> sources) {
        this.columns = columns;
        this.sources = sources;
    }

    /** Starts an empty history. */
    public static HistoryBuilder builder() {
        return new HistoryBuilder();
    }

    /** Number of operations, those that failed or are unknown included. */
    public int size() {
        return columns.size;
    }

    /** Number of sessions. */
    public int sessionCount() {
        return columns.sessions.size();
    }

    /** Number of keys. */
    public int keyCount() {
        return columns.keys.size();
    }

    /** How many operations have this type and status. */
    public int count(Operation.Type type, Operation.Status status) {
        int count = 0;
        for (int op = 0; op < size(); op++) {
            if (type(op) == type && status(op) == status) {
                count++;
            }
        }
        return count;
    }

    /** The operation at an index, from 0, in the order they were added. */
    public Operation get(int op) {
        return new Operation(
                columns.sessions.name(session(op)),
                type(op),
                columns.keys.name(key(op)),
                valueName(op),
                start(op),
                end(op),
                status(op),
                version(op));
    }

    /** Where the operation stands: {@code file:line}, or {@code #index} from 1 for a history built in memory. */
    public String where(int op) {
        int source = columns.source[op];
        return source < 0 ? "#" + (op + 1) : sources.get(source) + ":" + columns.line[op];
    }

    int session(int op) {
        return columns.session[op];
    }

    int key(int op) {
        return columns.key[op];
    }

    int value(int op) {
        return columns.value[op];
    }

    @Nullable
    String valueName(int op) {
        return value(op) == NULL_VALUE ? null : columns.values.name(value(op));
    }

    long start(int op) {
        return columns.start[op];
    }

    /** Long.MAX_VALUE would order nothing; absent ends stay {@link Operation#NO_END}. */
    long end(int op) {
        return columns.end[op];
    }

    long version(int op) {
        return columns.version[op];
    }

    boolean isWrite(int op) {
        return type(op) == Operation.Type.WRITE;
    }

    boolean isDelete(int op) {
        return isWrite(op) && value(op) == NULL_VALUE;
    }

    Operation.Type type(int op) {
        return HistoryColumns.TYPES.get(columns.kind[op] & 1);
    }

    Operation.Status status(int op) {
        return HistoryColumns.STATUSES.get(columns.kind[op] >> 1);
    }

    /** The write of the value that this operation carries, whatever its status, or -1. */
    int writerOf(int op) {
        return value(op) == NULL_VALUE ? -1 : columns.writer(key(op), value(op));
    }

    /** All operation indexes, grouped by key, in their order within a key; see {@link #keyOffsets()}. */
    int[] byKey(int[] offsets) {
        int[] next = Arrays.copyOf(offsets, offsets.length);
        int[] ops = new int[size()];
        for (int op = 0; op < size(); op++) {
            ops[next[key(op)]++] = op;
        }
        return ops;
    }

    /** Where each key's operations begin in {@link #byKey}; one entry more than keys. */
    int[] keyOffsets() {
        int[] offsets = new int[keyCount() + 1];
        for (int op = 0; op < size(); op++) {
            offsets[key(op) + 1]++;
        }
        for (int key = 0; key < keyCount(); key++) {
            offsets[key + 1] += offsets[key];
        }
        return offsets;
    }
}
