/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

/**
 * What the bytes of a {@link Value.Typed} mean, as far as transactions compute and compare. The bytes are those that
 * Cassandra stores. Codes are written to disk and wire: they never change.
 */
public enum Kind {
    TINYINT(1, true),
    SMALLINT(2, true),
    INT(3, true),
    BIGINT(4, true),
    FLOAT(5, true),
    DOUBLE(6, true),
    VARINT(7, true),
    DECIMAL(8, true),
    /** UTF-8 and ASCII: ordered as bytes, and added by appending. */
    TEXT(9, false),
    BOOLEAN(10, false),
    /** Ordered as unsigned bytes: blob, date, time, inet. */
    BYTES(11, false),
    /** A signed 64-bit count of milliseconds. */
    TIMESTAMP(12, false),
    /** Ordered by time, then by bytes. */
    TIMEUUID(13, false),
    /** Equal or not, and nothing else: uuid, duration, tuples, whatever is frozen. */
    OTHER(14, false),
    /**
     * Only in the order of rows: by version, those of version 1 by time, then by unsigned bytes. Else uuid is OTHER.
     */
    UUID(15, false);

    private static final Kind[] BY_CODE = new Kind[16];

    static {
        for (Kind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;
    private final boolean number;

    Kind(int code, boolean number) {
        this.code = code;
        this.number = number;
    }

    public int code() {
        return code;
    }

    public boolean isNumber() {
        return number;
    }

    public boolean isOrdered() {
        return this != OTHER;
    }

    /** Whether every value of the other kind has its like in this one; floats count, though they round. */
    public boolean holds(Kind other) {
        if (this == other) {
            return true;
        } else if (!number || !other.number) {
            return false;
        }
        return switch (this) {
            case SMALLINT, INT, BIGINT -> other.code < code;
            case VARINT -> other.code <= BIGINT.code;
            case FLOAT -> other.code <= INT.code;
            case DOUBLE -> other.code <= FLOAT.code;
            case DECIMAL -> true;
            default -> false;
        };
    }

    /** What a sum of the two is, as in Cassandra's arithmetic. */
    public static Kind common(Kind one, Kind other) {
        Kind larger = one.code >= other.code ? one : other;
        Kind smaller = one.code >= other.code ? other : one;
        if (larger == FLOAT && smaller == BIGINT) {
            return DOUBLE;
        } else if (larger == VARINT && (smaller == FLOAT || smaller == DOUBLE)) {
            return DECIMAL;
        }
        return larger;
    }

    /** @throws IllegalArgumentException if there is none */
    public static Kind ofCode(int code) {
        if (code < 1 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no kind of value has code " + code);
        }
        return BY_CODE[code];
    }
}
