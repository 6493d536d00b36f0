/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Expression.Arithmetic.Operation;

/** Numbers, order and collections are Cassandra's. */
class NumbersTest {
    @Test
    void integersWrapAround() {
        assertThat(Numbers.computed(Operation.PLUS, integer(Integer.MAX_VALUE), integer(1)))
                .isEqualTo(integer(Integer.MIN_VALUE));
        assertThat(Numbers.computed(Operation.TIMES, bigint(Long.MIN_VALUE), bigint(-1)))
                .isEqualTo(bigint(Long.MIN_VALUE));
        assertThat(Numbers.computed(Operation.PLUS, typed(Kind.TINYINT, 0x7f), typed(Kind.TINYINT, 1)))
                .isEqualTo(typed(Kind.TINYINT, 0x80));
    }

    @Test
    void divisionByZeroFails() {
        for (Kind kind : List.of(Kind.INT, Kind.VARINT, Kind.DECIMAL)) {
            Value.Typed zero = (Value.Typed) Numbers.converted(kind, integer(0));
            assertThatThrownBy(() -> Numbers.computed(Operation.DIVIDE, zero, zero))
                    .isInstanceOf(UnsatisfiedException.class);
        }
        assertThat(Numbers.computed(Operation.DIVIDE, integer(-7), integer(2))).isEqualTo(integer(-3));
    }

    @Test
    void decimalsAreExactAndEqualByNumber() {
        assertThat(Numbers.computed(Operation.MINUS, decimal("100.10"), decimal("0.1")))
                .isEqualTo(decimal("100.00"));
        assertThat(Order.equal(decimal("100.00"), decimal("100"))).isTrue();
        assertThat(decimal("100.00")).isNotEqualTo(decimal("100"));
    }

    @Test
    void numbersOfDifferentKindsAreComparedExactly() {
        assertThat(Order.of(bigint(Long.MAX_VALUE), decimal("9223372036854775807.5")))
                .isNegative();
        assertThat(Order.of(typed(Kind.TINYINT, 0xff), integer(0))).isNegative();
        assertThat(Order.of(Numbers.converted(Kind.DOUBLE, integer(3)), bigint(3)))
                .isZero();
        assertThat(Order.of(doubled(Double.NaN), bigint(3))).isPositive();
    }

    @Test
    void numbersThatGrowWithoutBoundFail() {
        byte[] bytes = new byte[Numbers.MOST_BYTES];
        bytes[0] = 1;
        Value.Typed large = new Value.Typed(Kind.VARINT, Bytes.copyOf(bytes));

        assertThatThrownBy(() -> Numbers.computed(Operation.TIMES, large, large))
                .isInstanceOf(UnsatisfiedException.class)
                .hasMessageContaining("at most");
    }

    @Test
    void wideningKeepsTheNumber() {
        assertThat(Numbers.converted(Kind.BIGINT, integer(-5))).isEqualTo(bigint(-5));
        assertThat(Numbers.converted(Kind.DECIMAL, integer(-5))).isEqualTo(decimal("-5"));
        assertThat(Numbers.converted(Kind.VARINT, integer(200)))
                .isEqualTo(new Value.Typed(
                        Kind.VARINT, Bytes.copyOf(BigInteger.valueOf(200).toByteArray())));
        assertThat(Numbers.converted(Kind.INT, Value.NOTHING)).isEqualTo(Value.NOTHING);
        assertThatThrownBy(() -> Numbers.converted(Kind.INT, bigint(1))).isInstanceOf(UnsatisfiedException.class);
    }

    @Test
    void timeuuidsAreOrderedByTimeAndThenBySignedBytes() {
        Value early = timeuuid("00000000-0001-1000-8080-808080808080");
        Value late = timeuuid("00000000-0000-1001-8080-808080808080");
        Value lateButGreater = timeuuid("00000000-0000-1001-7f80-808080808080");

        assertThat(Order.of(early, late)).isNegative();
        assertThat(Order.of(late, lateButGreater)).isNegative();
    }

    @Test
    void uuidsAreEqualOrNotAndHaveNoOrder() {
        Value one = new Value.Typed(Kind.OTHER, Bytes.copyOf(new byte[16]));

        assertThat(Order.equal(one, one)).isTrue();
        assertThatThrownBy(() -> Order.of(one, one)).hasMessageContaining("cannot be compared");
    }

    @Test
    void textsAreOrderedAsBytesAndJoined() {
        assertThat(Order.of(text("ä"), text("z"))).isPositive();
        assertThat(Numbers.computed(Operation.PLUS, text("a"), text("b"))).isEqualTo(text("ab"));
    }

    @Test
    void collectionsAreJoinedAndReducedAndEmptyOnesAreNothing() {
        Value ab = members("a", "b");

        assertThat(Containers.joined(ab, members("c"))).isEqualTo(members("a", "b", "c"));
        assertThat(Containers.joined(Value.NOTHING, ab)).isEqualTo(ab);
        assertThat(Containers.without(ab, members("a", "b"))).isEqualTo(Value.NOTHING);
        assertThat(Containers.element(ab, text("b"))).isEqualTo(text("b"));
        assertThat(Containers.element(ab, text("x"))).isEqualTo(Value.NOTHING);
    }

    @Test
    void mapsAreChangedByKey() {
        Value one = Containers.replaced(Value.NOTHING, text("k"), integer(1));

        assertThat(Containers.element(one, text("k"))).isEqualTo(integer(1));
        assertThat(Containers.replaced(one, text("k"), Value.NOTHING)).isEqualTo(Value.NOTHING);
        assertThat(Containers.without(one, members("k"))).isEqualTo(Value.NOTHING);
    }

    @Test
    void listsAreChangedByPlace() {
        Value list = new Value.Items(List.of(text("a"), text("b"), text("a")));

        assertThat(Containers.replaced(list, integer(1), text("c")))
                .isEqualTo(new Value.Items(List.of(text("a"), text("c"), text("a"))));
        assertThat(Containers.without(list, new Value.Items(List.of(text("a")))))
                .isEqualTo(new Value.Items(List.of(text("b"))));
        assertThatThrownBy(() -> Containers.replaced(list, integer(3), text("c")))
                .hasMessageContaining("no element 3");
    }

    private static Value.Typed typed(Kind kind, int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        return new Value.Typed(kind, Bytes.copyOf(content));
    }

    private static Value.Typed integer(int value) {
        return new Value.Typed(
                Kind.INT, Bytes.copyOf(ByteBuffer.allocate(4).putInt(value).array()));
    }

    private static Value.Typed bigint(long value) {
        return new Value.Typed(
                Kind.BIGINT, Bytes.copyOf(ByteBuffer.allocate(8).putLong(value).array()));
    }

    private static Value.Typed doubled(double value) {
        return new Value.Typed(
                Kind.DOUBLE,
                Bytes.copyOf(ByteBuffer.allocate(8).putDouble(value).array()));
    }

    private static Value.Typed decimal(String text) {
        BigDecimal value = new BigDecimal(text);
        byte[] unscaled = value.unscaledValue().toByteArray();
        return new Value.Typed(
                Kind.DECIMAL,
                Bytes.copyOf(ByteBuffer.allocate(4 + unscaled.length)
                        .putInt(value.scale())
                        .put(unscaled)
                        .array()));
    }

    private static Value.Typed text(String value) {
        return new Value.Typed(Kind.TEXT, Bytes.copyOf(value.getBytes(StandardCharsets.UTF_8)));
    }

    private static Value timeuuid(String text) {
        UUID uuid = UUID.fromString(text);
        return new Value.Typed(
                Kind.TIMEUUID,
                Bytes.copyOf(ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array()));
    }

    private static Value members(String... texts) {
        TreeSet<Value.Typed> members = new TreeSet<>();
        for (String each : texts) {
            members.add(text(each));
        }
        return new Value.Members(members);
    }
}
