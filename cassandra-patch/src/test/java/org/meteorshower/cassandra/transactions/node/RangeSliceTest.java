/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;

/** Places, slices and the transactions' own order say the same of any rows. */
final class RangeSliceTest {
    private static final ByteBuffer PARTITION = ByteBufferUtil.bytes("partition");
    private static final List<AbstractType<?>> TYPES = List.of(
            UTF8Type.instance,
            Int32Type.instance,
            ByteType.instance,
            ShortType.instance,
            LongType.instance,
            FloatType.instance,
            DoubleType.instance,
            IntegerType.instance,
            DecimalType.instance,
            BooleanType.instance,
            BytesType.instance,
            SimpleDateType.instance,
            TimeType.instance,
            TimestampType.instance,
            TimeUUIDType.instance);

    private final Random random = new Random(7);

    private static TableMetadata table(List<AbstractType<?>> clustering) {
        String unused = TestTables.PAIRS.name; // starts what Cassandra's schema needs
        TableMetadata.Builder table = TableMetadata.builder("ranges", "t")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance)
                .addRegularColumn("v", UTF8Type.instance);
        for (int i = 0; i < clustering.size(); i++) {
            table.addClusteringColumn("c" + i, clustering.get(i));
        }
        return table.build();
    }

    private static RowOrder order(TableMetadata table) {
        List<RowOrder.Column> columns = new ArrayList<>();
        for (AbstractType<?> type : table.comparator.subtypes()) {
            columns.add(new RowOrder.Column(ValueForm.kindOf(type), type.valueLengthIfFixed(), type.isReversed()));
        }
        return new RowOrder(columns);
    }

    /** Of few different ones, so that rows share some, and of all magnitudes. */
    private ByteBuffer value(AbstractType<?> type) {
        AbstractType<?> base = type.unwrap();
        int some = random.nextInt(-2, 3);
        long any = random.nextBoolean() ? some : random.nextLong() >> random.nextInt(64);
        if (base == UTF8Type.instance) {
            return ByteBufferUtil.bytes(
                    List.of("", "a", "ab", "a\0b", "a\0", "\0", "ä", "b").get(random.nextInt(8)));
        } else if (base == BytesType.instance) {
            byte[] bytes = new byte[random.nextInt(4)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) random.nextInt(-1, 2);
            }
            return ByteBuffer.wrap(bytes);
        } else if (base == ByteType.instance) {
            return ByteType.instance.decompose((byte) any);
        } else if (base == ShortType.instance) {
            return ShortType.instance.decompose((short) any);
        } else if (base == Int32Type.instance || base == SimpleDateType.instance) {
            return Int32Type.instance.decompose((int) any);
        } else if (base == FloatType.instance) {
            return FloatType.instance.decompose(
                    new float[] {-0f, 0f, Float.NaN, any, Float.NEGATIVE_INFINITY, -1.5f}[random.nextInt(6)]);
        } else if (base == DoubleType.instance) {
            return DoubleType.instance.decompose(
                    new double[] {-0d, 0d, Double.NaN, any, Double.POSITIVE_INFINITY, -1e-300}[random.nextInt(6)]);
        } else if (base == IntegerType.instance) {
            return IntegerType.instance.decompose(BigInteger.valueOf(any).pow(random.nextInt(1, 12)));
        } else if (base == DecimalType.instance) {
            return DecimalType.instance.decompose(new BigDecimal(BigInteger.valueOf(any), random.nextInt(-3, 4)));
        } else if (base == BooleanType.instance) {
            return BooleanType.instance.decompose(random.nextBoolean());
        } else if (base == TimeType.instance) {
            return LongType.instance.decompose(Math.abs(any % 86_400_000_000_000L));
        } else if (base == TimeUUIDType.instance) {
            return ByteBuffer.allocate(16)
                    .putLong((any & 0xffff_ffff_ffff_0fffL) | 0x1000)
                    .putLong(random.nextLong())
                    .flip();
        }
        return LongType.instance.decompose(any);
    }

    private List<ByteBuffer> values(TableMetadata table) {
        List<ByteBuffer> values = new ArrayList<>();
        for (AbstractType<?> type : table.comparator.subtypes()) {
            boolean empty = type.unwrap() != TimeType.instance
                    && type.unwrap() != SimpleDateType.instance
                    && type.unwrap() != ByteType.instance
                    && type.unwrap() != ShortType.instance
                    && random.nextInt(8) == 0;
            values.add(empty ? ByteBufferUtil.EMPTY_BYTE_BUFFER : value(type));
        }
        return values;
    }

    private RowKey key(TableMetadata table) {
        return RowForm.keyOf(table, PARTITION, Clustering.make(values(table).toArray(ByteBuffer[]::new)));
    }

    private Range.Edge edge(TableMetadata table) {
        List<ByteBuffer> buffers = values(table);
        List<Value.Typed> values = new ArrayList<>();
        int size = random.nextInt(buffers.size() + 1);
        for (int i = 0; i < size; i++) {
            values.add(ValueForm.typed(table.comparator.subtype(i), buffers.get(i)));
        }
        return new Range.Edge(values, size == 0 || random.nextBoolean());
    }

    private static String part(RowKey key) {
        String part = RowOrder.partition(key);
        assertThat(part).isNotNull();
        return part;
    }

    private static ByteBuffer place(TableMetadata table, RowKey key) {
        return RangeSlice.place(table, RowForm.clusteringOf(table, key));
    }

    private Range range(TableMetadata table, RowKey of) {
        return new Range(
                new Partition(table.id.toString(), part(of)),
                order(table),
                edge(table),
                edge(table),
                random.nextBoolean(),
                Range.ALL);
    }

    private static boolean isIn(Stretch stretch, ByteBuffer place) {
        return ByteBufferUtil.compareUnsigned(stretch.above(), place) < 0
                && ByteBufferUtil.compareUnsigned(place, stretch.below()) < 0;
    }

    private void check(List<AbstractType<?>> clustering) {
        TableMetadata table = table(clustering);
        for (int round = 0; round < 3_000; round++) {
            RowKey one = key(table);
            RowKey other = key(table);
            ByteBuffer place = place(table, one);
            Range all = new Range(
                    new Partition(table.id.toString(), part(one)),
                    order(table),
                    Range.Edge.OPEN,
                    Range.Edge.OPEN,
                    false,
                    Range.ALL);
            int order = ByteBufferUtil.compareUnsigned(place, place(table, other));
            assertThat(Integer.signum(order))
                    .as("%s and %s of %s", one, other, clustering)
                    .isEqualTo(Integer.signum(all.inOrder().compare(one, other)));
            assertThat(isIn(Stretch.EVERYTHING, place)).isTrue();

            Range range = range(table, one);
            RangeSlice slice = RangeSlice.of(table, range, null);
            assertThat(isIn(slice.stretch(), place))
                    .as("%s in %s", one, range)
                    .isEqualTo(range.contains(one))
                    .isEqualTo(!slice.slice().isEmpty(table.comparator)
                            && slice.slice().includes(table.comparator, RowForm.clusteringOf(table, one)));
            if (range.contains(other)) {
                boolean behind = range.contains(one) && range.inOrder().compare(one, other) > 0;
                assertThat(isIn(behind(table, range, other), place))
                        .as("%s behind %s in %s", one, other, range)
                        .isEqualTo(behind)
                        .isEqualTo(isIn(slice.stretch().behind(place(table, other), range.backward()), place));
            }
        }
    }

    private static Stretch behind(TableMetadata table, Range range, @Nullable RowKey after) {
        return RangeSlice.of(table, range, after).stretch();
    }

    @Test
    void ofEveryTypeInBothDirections() {
        for (AbstractType<?> type : TYPES) {
            check(List.of(type));
            check(List.of(ReversedType.getInstance(type)));
        }
    }

    @Test
    void ofSeveralColumns() {
        check(List.of(UTF8Type.instance, Int32Type.instance));
        check(List.of(ReversedType.getInstance(UTF8Type.instance), Int32Type.instance, BytesType.instance));
        check(List.of(
                Int32Type.instance,
                ReversedType.getInstance(UTF8Type.instance),
                ReversedType.getInstance(LongType.instance)));
    }

    @Test
    void whatDoesNotFitTheTableLeavesItOpen() {
        TableMetadata text = table(List.of(UTF8Type.instance, UTF8Type.instance));
        TableMetadata number = table(List.of(Int32Type.instance));
        RowKey key = key(text);
        Value.Typed value = ValueForm.typed(UTF8Type.instance, ByteBufferUtil.bytes("long"));
        Range.Edge edge = new Range.Edge(List.of(value, value), true);
        Range range =
                new Range(new Partition(number.id.toString(), part(key)), order(text), edge, edge, false, Range.ALL);
        Range three = new Range(
                new Partition(number.id.toString(), part(key)),
                order(text),
                new Range.Edge(List.of(ValueForm.typed(UTF8Type.instance, ByteBufferUtil.bytes("abc"))), true),
                Range.Edge.OPEN,
                false,
                Range.ALL);
        for (Range each : List.of(range, three)) {
            Clustering<?> zero = Clustering.make(Int32Type.instance.decompose(0));
            assertThat(isIn(RangeSlice.of(number, each, null).stretch(), RangeSlice.place(number, zero)))
                    .isTrue();
        }
    }
}
