/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

/** Which of two values is smaller, as Cassandra has it. Numbers of different kinds are compared exactly. */
final class Order {
    private Order() {}

    static boolean equal(Value left, Value right) {
        if (left instanceof Value.Typed a && right instanceof Value.Typed b) {
            return a.equals(b)
                    || (a.kind().isNumber()
                            && b.kind().isNumber()
                            && a.bytes().size() > 0
                            && b.bytes().size() > 0 //
                            && Numbers.compare(a, b) == 0);
        }
        return left.equals(right);
    }

    static int of(Value left, Value right) {
        if (left instanceof Value.Whole a && right instanceof Value.Whole b) {
            return Long.compare(a.value(), b.value());
        } else if (left instanceof Value.Text a && right instanceof Value.Text b) {
            return a.value().compareTo(b.value());
        } else if (left instanceof Value.Typed a && right instanceof Value.Typed b) {
            return of(a, b);
        }
        throw incomparable(left, right);
    }

    private static int of(Value.Typed left, Value.Typed right) {
        boolean numbers = left.kind().isNumber() && right.kind().isNumber();
        if (!numbers && (left.kind() != right.kind() || !left.kind().isOrdered())) {
            throw incomparable(left, right);
        } else if (left.bytes().size() == 0 || right.bytes().size() == 0) {
            return Integer.compare(left.bytes().size(), right.bytes().size());
        } else if (numbers) {
            return Numbers.compare(left, right);
        }
        return switch (left.kind()) {
            case TIMESTAMP -> Long.compare(Numbers.fixed64(left), Numbers.fixed64(right));
            case TIMEUUID -> byTime(left, right);
            case UUID -> byVersion(left, right);
            default -> left.bytes().compareTo(right.bytes());
        };
    }

    private static int byVersion(Value.Typed left, Value.Typed right) {
        long high = half(left, 0);
        long otherHigh = half(right, 0);
        int byVersion = Long.compare(high >>> 12 & 0xf, otherHigh >>> 12 & 0xf);
        if (byVersion != 0) {
            return byVersion;
        }
        boolean hasTime = (high >>> 12 & 0xf) == 1;
        int byHigh = hasTime ? Long.compareUnsigned(time(left), time(right)) : Long.compareUnsigned(high, otherHigh);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(half(left, 8), half(right, 8));
    }

    private static int byTime(Value.Typed left, Value.Typed right) {
        int byTime = Long.compareUnsigned(time(left), time(right));
        return byTime != 0 ? byTime : Long.compare(signedBytes(left), signedBytes(right));
    }

    /** The high half with its time in order: version and time's top, middle, low. */
    private static long time(Value.Typed uuid) {
        long high = half(uuid, 0);
        return (high << 48) | ((high << 16) & 0xFFFF00000000L) | (high >>> 32);
    }

    /** Flipped so that comparing the whole compares signed bytes. */
    private static long signedBytes(Value.Typed uuid) {
        return (half(uuid, 8) ^ 0x8080808080808080L) + Long.MIN_VALUE;
    }

    private static long half(Value.Typed uuid, int from) {
        if (uuid.bytes().size() != 16) {
            throw Expressions.error(uuid + " is no timeuuid");
        }
        return uuid.bytes().number(from, 8);
    }

    private static UnsatisfiedException incomparable(Value left, Value right) {
        return Expressions.error(left + " and " + right + " cannot be compared");
    }
}
