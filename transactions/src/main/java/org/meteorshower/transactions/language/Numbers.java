/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;

/**
 * Arithmetic on numbers in Cassandra's bytes, with Cassandra's results: integers wrap around, decimals keep at most
 * 10,000 digits. An empty value, which Cassandra allows, counts as nothing.
 */
final class Numbers {
    /** Larger results fail the transaction, lest a row doubles with each multiplication. */
    static final int MOST_BYTES = 16 * 1024;

    private static final MathContext DIGITS = new MathContext(10_000);
    private static final MathContext QUOTIENT = MathContext.DECIMAL128;

    private Numbers() {}

    static Value computed(Expression.Arithmetic.Operation operation, Value.Typed left, Value.Typed right) {
        if (left.kind() != right.kind()) {
            throw Expressions.error(
                    left + " " + operation + " " + right + ": a " + left.kind() + " and a " + right.kind());
        } else if (left.kind() == Kind.TEXT && operation == Expression.Arithmetic.Operation.PLUS) {
            return joined(left, right);
        } else if (!left.kind().isNumber()) {
            throw Expressions.error(left + " " + operation + " " + right + ": not numbers");
        } else if (left.bytes().size() == 0 || right.bytes().size() == 0) {
            return Value.NOTHING;
        }
        try {
            return switch (left.kind()) {
                case FLOAT ->
                    of(Kind.FLOAT, (double) (float) floating(operation, true, floating(left), floating(right)));
                case DOUBLE -> of(Kind.DOUBLE, floating(operation, false, floating(left), floating(right)));
                case VARINT -> of(Kind.VARINT, whole(operation, big(left), big(right)));
                case DECIMAL -> of(decimal(operation, decimal(left), decimal(right)));
                default -> of(left.kind(), whole(operation, fixed(left), fixed(right)));
            };
        } catch (ArithmeticException e) {
            throw Expressions.error(left + " " + operation + " " + right + ": " + e.getMessage());
        }
    }

    /** @return the number as one of this kind; nothing stays nothing */
    static Value converted(Kind kind, Value value) {
        if (value.equals(Value.NOTHING)) {
            return value;
        }
        if (!(value instanceof Value.Typed typed) || !kind.holds(typed.kind())) {
            throw Expressions.error(value + " cannot be made a " + kind);
        }
        if (typed.kind() == kind) {
            return value;
        } else if (typed.bytes().size() == 0) {
            return Value.NOTHING;
        }
        try {
            return switch (kind) {
                case FLOAT, DOUBLE ->
                    of(kind, typed.kind().holds(Kind.FLOAT) ? floating(typed) : (double) fixed(typed));
                case VARINT -> of(kind, BigInteger.valueOf(fixed(typed)));
                case DECIMAL -> of(decimal(typed));
                default -> of(kind, fixed(typed));
            };
        } catch (ArithmeticException | NumberFormatException e) {
            throw Expressions.error(value + " cannot be made a " + kind + ": " + e.getMessage());
        }
    }

    /** Of all ways to write this number the one that is written in keys. */
    static Value.Typed canonical(Value.Typed value) {
        if (value.bytes().size() == 0) {
            return value;
        }
        return switch (value.kind()) {
            case VARINT -> new Value.Typed(Kind.VARINT, Bytes.owning(big(value).toByteArray()));
            case DECIMAL -> {
                BigDecimal number = decimal(value);
                yield of(number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros());
            }
            default -> value;
        };
    }

    /** Neither is empty. */
    static int compare(Value.Typed left, Value.Typed right) {
        if (isFloating(left) && isFloating(right)) {
            return Double.compare(floating(left), floating(right));
        } else if (isFloating(left) && !Double.isFinite(floating(left))) {
            return floating(left) == Double.NEGATIVE_INFINITY ? -1 : 1;
        } else if (isFloating(right) && !Double.isFinite(floating(right))) {
            return floating(right) == Double.NEGATIVE_INFINITY ? 1 : -1;
        } else if (isSmall(left) && isSmall(right)) {
            return Long.compare(fixed(left), fixed(right));
        }
        return decimal(left).compareTo(decimal(right));
    }

    static Value bigint(long number) {
        return of(Kind.BIGINT, number);
    }

    static long fixed64(Value.Typed value) {
        if (value.bytes().size() != 8) {
            throw malformed(value);
        }
        return value.bytes().number(0, 8);
    }

    static String display(Value.Typed value) {
        try {
            if (value.kind() == Kind.TEXT) {
                return "'" + new String(value.bytes().shared(), StandardCharsets.UTF_8) + "'";
            } else if (value.kind().isNumber() && value.bytes().size() > 0) {
                return isFloating(value)
                        ? Double.toString(floating(value))
                        : decimal(value).toString();
            } else if (value.kind() == Kind.BOOLEAN && value.bytes().size() == 1) {
                return Boolean.toString(value.bytes().shared()[0] != 0);
            }
        } catch (UnsatisfiedException e) {
            // not what its kind says: shown as bytes
        }
        return value.bytes().toString();
    }

    private static boolean isFloating(Value.Typed value) {
        return value.kind() == Kind.FLOAT || value.kind() == Kind.DOUBLE;
    }

    private static boolean isSmall(Value.Typed value) {
        return value.kind().code() <= Kind.BIGINT.code();
    }

    private static long whole(Expression.Arithmetic.Operation operation, long left, long right) {
        return switch (operation) {
            case PLUS -> left + right;
            case MINUS -> left - right;
            case TIMES -> left * right;
            case DIVIDE -> left / right;
            case REMAINDER -> left % right;
        };
    }

    private static BigInteger whole(Expression.Arithmetic.Operation operation, BigInteger left, BigInteger right) {
        return switch (operation) {
            case PLUS -> left.add(right);
            case MINUS -> left.subtract(right);
            case TIMES -> left.multiply(right);
            case DIVIDE -> left.divide(right);
            case REMAINDER -> left.remainder(right);
        };
    }

    private static BigDecimal decimal(Expression.Arithmetic.Operation operation, BigDecimal left, BigDecimal right) {
        return switch (operation) {
            case PLUS -> left.add(right, DIGITS);
            case MINUS -> left.subtract(right, DIGITS);
            case TIMES -> left.multiply(right, DIGITS);
            case DIVIDE -> left.divide(right, QUOTIENT);
            case REMAINDER -> left.remainder(right, DIGITS);
        };
    }

    private static double floating(
            Expression.Arithmetic.Operation operation, boolean single, double left, double right) {
        float a = (float) left;
        float b = (float) right;
        return switch (operation) {
            case PLUS -> single ? a + b : left + right;
            case MINUS -> single ? a - b : left - right;
            case TIMES -> single ? a * b : left * right;
            case DIVIDE -> single ? a / b : left / right;
            case REMAINDER -> single ? a % b : left % right;
        };
    }

    private static Value joined(Value.Typed left, Value.Typed right) {
        byte[] head = left.bytes().shared();
        byte[] tail = right.bytes().shared();
        byte[] both = java.util.Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, both, head.length, tail.length);
        return new Value.Typed(Kind.TEXT, Bytes.owning(both));
    }

    private static long fixed(Value.Typed value) {
        int size = size(value.kind());
        if (value.bytes().size() != size) {
            throw malformed(value);
        }
        return value.bytes().number(0, size);
    }

    private static double floating(Value.Typed value) {
        long bits = fixed(value);
        return value.kind() == Kind.FLOAT ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    private static BigInteger big(Value.Typed value) {
        return new BigInteger(value.bytes().shared());
    }

    private static BigDecimal decimal(Value.Typed value) {
        return switch (value.kind()) {
            case VARINT -> new BigDecimal(big(value));
            case FLOAT, DOUBLE -> new BigDecimal(floating(value));
            case DECIMAL -> {
                byte[] bytes = value.bytes().shared();
                if (bytes.length < 5) {
                    throw malformed(value);
                }
                yield new BigDecimal(new BigInteger(bytes, 4, bytes.length - 4), (int)
                        value.bytes().number(0, 4));
            }
            default -> BigDecimal.valueOf(fixed(value));
        };
    }

    private static int size(Kind kind) {
        return switch (kind) {
            case TINYINT -> 1;
            case SMALLINT -> 2;
            case INT, FLOAT -> 4;
            case BIGINT, DOUBLE -> 8;
            default -> throw Expressions.error(kind + " is no number of a fixed size");
        };
    }

    private static Value of(Kind kind, long number) {
        return new Value.Typed(kind, Bytes.owning(big(number, size(kind))));
    }

    private static byte[] big(long number, int size) {
        byte[] bytes = new byte[size];
        for (int i = size - 1, shift = 0; i >= 0; i--, shift += 8) {
            bytes[i] = (byte) (number >>> shift);
        }
        return bytes;
    }

    private static Value of(Kind kind, double number) {
        return of(kind, kind == Kind.FLOAT ? Float.floatToIntBits((float) number) : Double.doubleToLongBits(number));
    }

    private static Value of(Kind kind, BigInteger number) {
        return new Value.Typed(kind, bounded(number.toByteArray()));
    }

    private static Value.Typed of(BigDecimal number) {
        byte[] unscaled = number.unscaledValue().toByteArray();
        byte[] bytes = java.util.Arrays.copyOf(big(number.scale(), 4), 4 + unscaled.length);
        System.arraycopy(unscaled, 0, bytes, 4, unscaled.length);
        return new Value.Typed(Kind.DECIMAL, bounded(bytes));
    }

    private static Bytes bounded(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw Expressions.error("a number of " + bytes.length + " bytes; at most " + MOST_BYTES + " are computed");
        }
        return Bytes.owning(bytes);
    }

    private static UnsatisfiedException malformed(Value.Typed value) {
        return Expressions.error(value.bytes() + " is no " + value.kind());
    }
}
