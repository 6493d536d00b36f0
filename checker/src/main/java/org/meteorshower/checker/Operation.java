/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operation of one session on one key, as its client saw it. Immutable.
 *
 * @param session name of the session; a session has one operation outstanding at a time
 * @param type read or write
 * @param key the row, or the cell, that is a register of its own
 * @param value written or returned; null: a read that saw no row, or a write that deletes
 * @param startNanos when the client sent it, from 0, on the clock that all sessions share
 * @param endNanos when the client had the answer, or {@link #NO_END}
 * @param status what the client knows of the outcome
 * @param version write timestamp that decides between writes of a key, or {@link #NO_VERSION}; ignored on reads
 */
public record Operation(
        String session,
        Type type,
        String key,
        @Nullable String value,
        long startNanos,
        long endNanos,
        Status status,
        long version) {

    /** {@link #endNanos()} of an operation whose answer never came. */
    public static final long NO_END = -1;

    /** {@link #version()} of a write whose timestamp is not known. */
    public static final long NO_VERSION = Long.MIN_VALUE;

    /** Reads return a value, writes set or delete it. */
    public enum Type {
        READ,
        WRITE;

        /** The word used in files. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a client knows of the outcome. */
    public enum Status {
        /** It took effect between start and end. */
        OK,
        /** It certainly took no effect, now or later. */
        FAIL,
        /** It may take effect at any time after its start, or never. */
        UNKNOWN;

        /** The word used in files. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A read that returned {@code value}, or no row where that is null. */
    public static Operation read(String session, String key, @Nullable String value, long startNanos, long endNanos) {
        return new Operation(session, Type.READ, key, value, startNanos, endNanos, Status.OK, NO_VERSION);
    }

    /** A write that was acknowledged; a null value deletes. */
    public static Operation write(
            String session, String key, @Nullable String value, long startNanos, long endNanos, long version) {
        return new Operation(session, Type.WRITE, key, value, startNanos, endNanos, Status.OK, version);
    }

    /** A write that certainly took no effect. */
    public static Operation failedWrite(
            String session, String key, @Nullable String value, long startNanos, long endNanos) {
        return new Operation(session, Type.WRITE, key, value, startNanos, endNanos, Status.FAIL, NO_VERSION);
    }

    /** A write that timed out or whose connection broke: it may take effect later, or never. */
    public static Operation unknownWrite(
            String session, String key, @Nullable String value, long startNanos, long version) {
        return new Operation(session, Type.WRITE, key, value, startNanos, NO_END, Status.UNKNOWN, version);
    }
}
