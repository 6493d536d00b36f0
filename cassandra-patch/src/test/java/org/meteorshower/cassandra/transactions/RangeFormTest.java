/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/** The transactions' core has rows in the order that the table's own comparator has them in, for each type. */
class RangeFormTest {
    private static final ByteBuffer PARTITION = UTF8Type.instance.decompose("k");
    private static final int VALUES = 60;
    private static final int SLICES = 300;

    private static final Map<AbstractType<?>, Function<Random, ByteBuffer>> TYPES = Map.ofEntries(
            type(ByteType.instance, random -> (byte) random.nextInt()),
            type(ShortType.instance, random -> (short) random.nextInt()),
            type(Int32Type.instance, random -> any(random, random.nextInt(), 0, -1, 1, Integer.MIN_VALUE)),
            type(LongType.instance, random -> any(random, random.nextLong(), 0L, -1L, 1L, Long.MIN_VALUE)),
            type(
                    FloatType.instance,
                    random -> any(
                            random,
                            (float) random.nextGaussian(),
                            0f,
                            -0f,
                            Float.NaN,
                            Float.MIN_VALUE,
                            Float.NEGATIVE_INFINITY,
                            Float.POSITIVE_INFINITY)),
            type(
                    DoubleType.instance,
                    random -> any(
                            random,
                            random.nextGaussian() * 1e9,
                            0d,
                            -0d,
                            Double.NaN,
                            Double.MIN_VALUE,
                            Double.NEGATIVE_INFINITY,
                            Double.POSITIVE_INFINITY)),
            type(IntegerType.instance, random -> number(random)),
            type(DecimalType.instance, random -> new BigDecimal(number(random), random.nextInt(40) - 20)),
            type(UTF8Type.instance, random -> text(random, "aÄ\u20ac\ud83d\ude00zZ")),
            type(AsciiType.instance, random -> text(random, "azAZ~ 0")),
            type(BooleanType.instance, Random::nextBoolean),
            type(BytesType.instance, random -> ByteBuffer.wrap(bytes(random, random.nextInt(5)))),
            type(SimpleDateType.instance, random -> any(random, random.nextInt(), 0, -1, Integer.MIN_VALUE)),
            type(TimeType.instance, random -> (long) (random.nextDouble() * 86_400_000_000_000L)),
            type(InetAddressType.instance, RangeFormTest::address),
            Map.entry(
                    TimestampType.instance,
                    random -> LongType.instance.decompose(any(random, random.nextLong(), 0L, -1L, 1L))),
            Map.entry(TimeUUIDType.instance, RangeFormTest::timeuuid),
            Map.entry(UUIDType.instance, RangeFormTest::uuid));

    private static <T> Map.Entry<AbstractType<?>, Function<Random, ByteBuffer>> type(
            AbstractType<T> type, Function<Random, T> values) {
        return Map.entry(type, random -> type.decompose(values.apply(random)));
    }

    @SafeVarargs
    private static <T> T any(Random random, T first, T... others) {
        return random.nextInt(3) == 0 ? others[random.nextInt(others.length)] : first;
    }

    private static BigInteger number(Random random) {
        BigInteger number = new BigInteger(random.nextInt(80), random);
        return random.nextBoolean() ? number : number.negate();
    }

    private static String text(Random random, String letters) {
        int[] all = letters.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.appendCodePoint(all[random.nextInt(all.length)]);
        }
        return text.toString();
    }

    private static byte[] bytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private static InetAddress address(Random random) {
        try {
            return InetAddress.getByAddress(bytes(random, random.nextBoolean() ? 4 : 16));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Of all versions, those of the first of a few times. */
    private static ByteBuffer uuid(Random random) {
        if (random.nextInt(3) == 0) {
            return timeuuid(random);
        }
        byte[] bytes = bytes(random, 16);
        if (random.nextBoolean()) {
            java.util.Arrays.fill(bytes, 0, 8, (byte) 0);
        }
        return ByteBuffer.wrap(bytes);
    }

    /** Of a few times, so that the rest matters. */
    private static ByteBuffer timeuuid(Random random) {
        byte[] bytes = bytes(random, 16);
        if (random.nextBoolean()) {
            System.arraycopy(new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) random.nextInt(2)}, 0, bytes, 0, 8);
        }
        bytes[6] = (byte) (0x10 | (bytes[6] & 0xf));
        return ByteBuffer.wrap(bytes);
    }

    private static TableMetadata table(AbstractType<?> first, AbstractType<?> second) {
        String unused = TestTables.PAIRS.name; // starts what Cassandra's schema needs
        return TableMetadata.builder("test", "ranges")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance)
                .addClusteringColumn("c", first)
                .addClusteringColumn("d", second)
                .addRegularColumn("v", Int32Type.instance)
                .build();
    }

    static Stream<Arguments> types() {
        return TYPES.keySet().stream().map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("types")
    void rowsStandAsTheComparatorHasThem(AbstractType<?> type) {
        for (TableMetadata table : List.of(
                table(type, Int32Type.instance),
                table(ReversedType.getInstance(type), type),
                table(type, ReversedType.getInstance(type)),
                table(ReversedType.getInstance(UTF8Type.instance), type))) {
            Random random = new Random(type.toString().hashCode());
            List<Clustering<?>> rows = new ArrayList<>();
            for (int i = 0; i < VALUES; i++) {
                rows.add(Clustering.make(value(table, 0, random), value(table, 1, random)));
            }
            List<RowKey> keys = rows.stream()
                    .map(row -> RowForm.keyOf(table, PARTITION, row))
                    .toList();
            for (int i = 0; i < VALUES; i++) {
                assertThat(computed(table, rows.get(i))).isEqualTo(keys.get(i));
            }
            Comparator<RowKey> forward =
                    RangeForm.of(table, PARTITION, Slice.ALL, false, Range.ALL).inOrder();
            Comparator<RowKey> backward =
                    RangeForm.of(table, PARTITION, Slice.ALL, true, Range.ALL).inOrder();
            for (int left = 0; left < VALUES; left++) {
                for (int right = 0; right < VALUES; right++) {
                    int order = Integer.signum(table.comparator.compare(rows.get(left), rows.get(right)));
                    List<Integer> here = List.of(
                            Integer.signum(forward.compare(keys.get(left), keys.get(right))),
                            Integer.signum(backward.compare(keys.get(left), keys.get(right))));
                    if (!here.equals(List.of(order, -order))) {
                        throw new AssertionError(rows.get(left).toString(table) + " and "
                                + rows.get(right).toString(table) + ": " + here + " instead of " + order);
                    }
                }
            }
            for (int i = 0; i < SLICES; i++) {
                slice(table, rows, keys, random);
            }
        }
    }

    /** The key that a transaction computes from these values. */
    private static RowKey computed(TableMetadata table, Clustering<?> row) {
        List<Expression> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            values.add(new Expression.Constant(
                    ValueForm.typed(table.clusteringColumns().get(i).type, row.bufferAt(i))));
        }
        Statement change = new Statement.Change(
                new ComputedRow(RangeForm.partitionOf(table, PARTITION), RangeForm.orderOf(table), values),
                List.of(new Statement.Change.Assignment("v", new Expression.Constant(Value.TRUE))));
        Transaction transaction = new Transaction(List.of(), List.of(change));
        return Program.run(transaction, new TreeMap<>()).writes().firstKey();
    }

    @Test
    void longValuesHaveOneKeyToo() {
        TableMetadata table = table(UTF8Type.instance, UTF8Type.instance);
        for (int length : List.of(0, 1, 127, 128, 16_383, 16_384, 65_535)) {
            Clustering<?> row = Clustering.make(
                    UTF8Type.instance.decompose("x".repeat(length)), UTF8Type.instance.decompose("y".repeat(length)));
            assertThat(computed(table, row)).isEqualTo(RowForm.keyOf(table, PARTITION, row));
        }
    }

    private static ByteBuffer value(TableMetadata table, int column, Random random) {
        AbstractType<?> type = table.clusteringColumns().get(column).type.unwrap();
        if (random.nextInt(12) == 0 && type.allowsEmpty()) {
            return ByteBuffer.allocate(0);
        }
        return TYPES.get(type).apply(random);
    }

    private static void slice(TableMetadata table, List<Clustering<?>> rows, List<RowKey> keys, Random random) {
        Slice slice = Slice.make(bound(table, rows, true, random), bound(table, rows, false, random));
        Range range = RangeForm.of(table, PARTITION, slice, false, Range.ALL);
        for (int i = 0; i < VALUES; i++) {
            boolean selected = table.comparator.compare(slice.start(), rows.get(i)) < 0
                    && table.comparator.compare(slice.end(), rows.get(i)) > 0;
            if (range.contains(keys.get(i)) != selected) {
                throw new AssertionError(
                        rows.get(i).toString(table) + " in " + slice.toString(table.comparator) + ": " + !selected);
            }
        }
    }

    private static ClusteringBound<?> bound(
            TableMetadata table, List<Clustering<?>> rows, boolean isStart, Random random) {
        Clustering<?> of = rows.get(random.nextInt(rows.size()));
        Object[] values = new Object[random.nextInt(3)];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(4) == 0 ? value(table, i, random) : of.bufferAt(i);
        }
        return ClusteringBound.create(table.comparator, isStart, values.length == 0 || random.nextBoolean(), values);
    }

    @Test
    void whatTransactionsCannotOrderIsNamed() {
        AbstractType<?> type = new TupleType(List.of(Int32Type.instance));
        assertThatThrownBy(() -> RangeForm.orderOf(table(Int32Type.instance, type)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ordered by d, and transactions know no order of values of " + type.asCQL3Type());
    }

    @Test
    void otherPartitionsAndStaticColumnsAreOutside() {
        TableMetadata table = table(Int32Type.instance, Int32Type.instance);
        Range all = RangeForm.of(table, PARTITION, Slice.ALL, false, Range.ALL);
        Clustering<?> row = Clustering.make(Int32Type.instance.decompose(1), Int32Type.instance.decompose(2));

        assertThat(all.contains(RowForm.keyOf(table, PARTITION, row))).isTrue();
        assertThat(all.contains(RowForm.keyOf(table, PARTITION, Clustering.STATIC_CLUSTERING)))
                .isFalse();
        assertThat(all.contains(RowForm.keyOf(table, UTF8Type.instance.decompose("kk"), row)))
                .isFalse();
    }

    @Test
    void numbersAreWrittenInOneWay() {
        TableMetadata table = table(DecimalType.instance, IntegerType.instance);
        ByteBuffer longer = ByteBuffer.wrap(new byte[] {0, 0, 5});
        Slice slice =
                Slice.make(Clustering.make(DecimalType.instance.decompose(new BigDecimal("1.50")), longer.duplicate()));
        Range range = RangeForm.of(table, PARTITION, slice, false, 7);

        assertThat(range.most()).isEqualTo(7);
        assertThat(range.from().values())
                .isEqualTo(range.to().values())
                .containsExactly(
                        ValueForm.typed(DecimalType.instance, DecimalType.instance.decompose(new BigDecimal("1.5"))),
                        ValueForm.typed(IntegerType.instance, IntegerType.instance.decompose(BigInteger.valueOf(5))));
    }

    @Test
    void whatIsNoValueOfItsTypeIsRefusedBeforeAnythingRuns() {
        TableMetadata table = table(TimeUUIDType.instance, Int32Type.instance);
        ByteBuffer bytes = ByteBuffer.wrap("short".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> RangeForm.of(
                        table,
                        PARTITION,
                        Slice.make(ClusteringBound.create(table.comparator, true, true, bytes), ClusteringBound.TOP),
                        false,
                        Range.ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("c cannot be compared with that");
    }
}
