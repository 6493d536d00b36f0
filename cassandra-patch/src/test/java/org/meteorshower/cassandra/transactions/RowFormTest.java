/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.FieldIdentifier;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;

/** What a transaction leaves in a row is in Cassandra's row, and comes back from it. */
class RowFormTest {
    private static final UserType PERSON = new UserType(
            TestTables.CART.keyspace,
            ByteBuffer.wrap("person".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            List.of(FieldIdentifier.forQuoted("name"), FieldIdentifier.forQuoted("age")),
            List.of(UTF8Type.instance, Int32Type.instance),
            true);
    private static final ListType<String> LIST = ListType.getInstance(UTF8Type.instance, true);
    private static final SetType<Long> SET = SetType.getInstance(LongType.instance, true);
    private static final MapType<String, Integer> MAP =
            MapType.getInstance(UTF8Type.instance, Int32Type.instance, true);
    private static final TableMetadata ALL = TableMetadata.builder("test", "all")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", UTF8Type.instance)
            .addClusteringColumn("c", ReversedType.getInstance(DecimalType.instance))
            .addClusteringColumn("d", Int32Type.instance)
            .addStaticColumn("s", UTF8Type.instance)
            .addStaticColumn("sl", LIST)
            .addRegularColumn("b", BooleanType.instance)
            .addRegularColumn("l", LIST)
            .addRegularColumn("m", MAP)
            .addRegularColumn("n", SET)
            .addRegularColumn("u", PERSON)
            .build();

    private static final RowKey KEY = RowForm.keyOf(ALL, UTF8Type.instance.decompose("k"), clustering("1.5", 7));

    private static Clustering<?> clustering(String c, int d) {
        return Clustering.make(DecimalType.instance.decompose(new BigDecimal(c)), Int32Type.instance.decompose(d));
    }

    private static <T> Value value(AbstractType<T> type, T content) {
        return ValueForm.fromBytes(type, type.decompose(content));
    }

    private static Row full() {
        return Row.ABSENT
                .with(RowForm.MARKER, Value.TRUE)
                .with("b", value(BooleanType.instance, true))
                .with("l", value(LIST, List.of("z", "a", "z")))
                .with("m", value(MAP, Map.of("x", 1, "y", 2)))
                .with("n", value(SET, Set.of(-1L, 5L)))
                .with("u", ValueForm.fromBytes(PERSON, person()));
    }

    private static ByteBuffer person() {
        return UserType.buildValue(UTF8Type.instance.decompose("Ann"), Int32Type.instance.decompose(40));
    }

    private static Row throughCassandra(RowKey key, Row row) {
        PartitionUpdate update = RowForm.toUpdate(ALL, key, row, 1_000_000);
        return RowForm.fromCassandra(ALL, update.getRow(RowForm.clusteringOf(ALL, key)), 1);
    }

    @Test
    void aRowComesBackAsItWas() {
        assertThat(throughCassandra(KEY, full())).isEqualTo(full());
        assertThat(throughCassandra(KEY, Row.ABSENT)).isEqualTo(Row.ABSENT);
    }

    @Test
    void aRowIsThereWithoutValuesOnlyIfItWasInserted() {
        Row inserted = Row.ABSENT.with(RowForm.MARKER, Value.TRUE);

        assertThat(throughCassandra(KEY, inserted)).isEqualTo(inserted);
    }

    @Test
    void aLongListKeepsItsOrder() {
        List<String> many = java.util.stream.IntStream.range(0, 700)
                .mapToObj(Integer::toString)
                .toList();
        Row row = Row.ABSENT.with("l", value(LIST, many));

        assertThat(throughCassandra(KEY, row)).isEqualTo(row);
    }

    @Test
    void whatALaterVersionDoesNotHoldIsGone() {
        PartitionUpdate earlier = RowForm.toUpdate(ALL, KEY, full(), 1_000_000);
        Row less = Row.ABSENT.with("b", value(BooleanType.instance, false));
        PartitionUpdate later = RowForm.toUpdate(ALL, KEY, less, 1_000_001);
        Clustering<?> clustering = RowForm.clusteringOf(ALL, KEY);

        PartitionUpdate both = PartitionUpdate.merge(List.of(later, earlier));

        assertThat(RowForm.fromCassandra(ALL, both.getRow(clustering), 1)).isEqualTo(less);
        PartitionUpdate deleted =
                PartitionUpdate.merge(List.of(both, RowForm.toUpdate(ALL, KEY, Row.ABSENT, 1_000_002)));
        assertThat(RowForm.fromCassandra(ALL, deleted.getRow(clustering), 1)).isEqualTo(Row.ABSENT);
    }

    @Test
    void staticColumnsAreARowOfTheirOwn() {
        RowKey key = RowForm.keyOf(ALL, UTF8Type.instance.decompose("k"), Clustering.STATIC_CLUSTERING);
        Row row = Row.ABSENT.with("s", value(UTF8Type.instance, "x")).with("sl", value(LIST, List.of("a", "b")));
        PartitionUpdate earlier = RowForm.toUpdate(ALL, key, row, 1_000_000);

        assertThat(RowForm.fromCassandra(ALL, earlier.staticRow(), 1)).isEqualTo(row);
        PartitionUpdate gone =
                PartitionUpdate.merge(List.of(earlier, RowForm.toUpdate(ALL, key, Row.ABSENT, 1_000_001)));
        assertThat(RowForm.fromCassandra(ALL, gone.staticRow(), 1)).isEqualTo(Row.ABSENT);
    }

    private static Row ending(Row row, long untilMillis) {
        Row ending = row;
        for (String column : row.columns().keySet()) {
            ending = ending.with(column, new Value.Expiring(row.get(column), untilMillis));
        }
        return ending;
    }

    private static void assertEnds(org.apache.cassandra.db.rows.Row row, long second, int leastTtl, int mostTtl) {
        List<Cell<?>> cells = new ArrayList<>();
        row.cells().forEach(cells::add);
        assertThat(cells)
                .isNotEmpty()
                .allMatch(cell -> cell.isExpiring() && cell.localDeletionTime() == second)
                .allMatch(cell -> leastTtl <= cell.ttl() && cell.ttl() <= mostTtl);
    }

    /** Some time after the order has taken it away, in a whole second. */
    @Test
    void whatEndsEndsInTheTableToo() {
        long now = FBUtilities.nowInSeconds();
        Clustering<?> clustering = RowForm.clusteringOf(ALL, KEY);
        Row row = ending(full(), 1_000 * (now + 60) + 1);
        org.apache.cassandra.db.rows.Row stored = Objects.requireNonNull(
                RowForm.toUpdate(ALL, KEY, row, 1_000_000).getRow(clustering));
        long end = now + 61 + CellLife.MARGIN_SECONDS;

        assertThat(RowForm.fromCassandra(ALL, stored, now)).isEqualTo(full());
        assertThat(RowForm.fromCassandra(ALL, stored, end - 1)).isEqualTo(full());
        assertThat(RowForm.fromCassandra(ALL, stored, end)).isEqualTo(Row.ABSENT);
        assertThat(stored.primaryKeyLivenessInfo().localExpirationTime()).isEqualTo(end);
        assertEnds(stored, end, 3600, 3661);
    }

    @Test
    void onlyThatEndsWhichHasAnEnd() {
        long now = FBUtilities.nowInSeconds();
        Row row = full().with("b", new Value.Expiring(value(BooleanType.instance, true), 1_000 * now));
        var stored = RowForm.toUpdate(ALL, KEY, row, 1_000_000).getRow(RowForm.clusteringOf(ALL, KEY));

        assertThat(RowForm.fromCassandra(ALL, stored, now + 1_000_000)).isEqualTo(full().with("b", Value.NOTHING));
    }

    @Test
    void whatHasEndedLongAgoIsWrittenAsDeleted() {
        Clustering<?> clustering = RowForm.clusteringOf(ALL, KEY);
        PartitionUpdate earlier = RowForm.toUpdate(ALL, KEY, full(), 1_000_000);
        PartitionUpdate later = RowForm.toUpdate(ALL, KEY, ending(full(), 5_000), 1_000_001);

        assertEnds(Objects.requireNonNull(later.getRow(clustering)), 5 + CellLife.MARGIN_SECONDS, 1, 1);
        PartitionUpdate both = PartitionUpdate.merge(List.of(earlier, later));
        assertThat(RowForm.fromCassandra(ALL, both.getRow(clustering), FBUtilities.nowInSeconds()))
                .isEqualTo(Row.ABSENT);
    }

    @Test
    void noCellEndsLaterThanCassandraCanSay() {
        Row row = ending(full(), Long.MAX_VALUE);
        var stored = RowForm.toUpdate(ALL, KEY, row, 1_000_000).getRow(RowForm.clusteringOf(ALL, KEY));

        assertEnds(Objects.requireNonNull(stored), Cell.getVersionedMaxDeletiontionTime(), 1, Attributes.MAX_TTL);
    }

    @Test
    void aKeyNamesItsRow() {
        assertThat(RowForm.partitionKeyOf(KEY)).isEqualTo(UTF8Type.instance.decompose("k"));
        assertThat(ALL.comparator.compare(RowForm.clusteringOf(ALL, KEY), clustering("1.5", 7)))
                .isZero();
        RowKey without = RowForm.keyOf(TestTables.PAIRS, ByteBuffer.allocate(3), Clustering.EMPTY);
        assertThat(RowForm.clusteringOf(TestTables.PAIRS, without)).isEqualTo(Clustering.EMPTY);
    }

    @Test
    void oneRowHasOneKeyHoweverItsNumbersAreWritten() {
        assertThat(RowForm.keyOf(ALL, UTF8Type.instance.decompose("k"), clustering("1.50", 7)))
                .isEqualTo(KEY);
        assertThat(RowForm.keyOf(ALL, UTF8Type.instance.decompose("k"), clustering("1.5", 8)))
                .isNotEqualTo(KEY);
    }

    @Test
    void collectionsAreSentInCassandrasOrder() {
        ByteBuffer sent = Objects.requireNonNull(ValueForm.toBytes(SET, value(SET, Set.of(5L, -1L))));

        assertThat(sent).isEqualTo(SET.decompose(new java.util.TreeSet<>(Set.of(-1L, 5L))));
        assertThat(ValueForm.toBytes(PERSON, ValueForm.fromBytes(PERSON, person())))
                .isEqualTo(person());
    }

    @Test
    void inTheChangeStreamARowIsJson() {
        assertThat(RowJson.key(ALL, KEY)).isEqualTo("{\"k\":\"k\",\"c\":1.5,\"d\":7}");
        assertThat(RowJson.key(
                        ALL, RowForm.keyOf(ALL, UTF8Type.instance.decompose("a\"b"), Clustering.STATIC_CLUSTERING)))
                .isEqualTo("{\"k\":\"a\\\"b\"}");
        assertThat(RowJson.row(ALL, full()))
                .isEqualTo("{\"b\":true,\"l\":[\"z\", \"a\", \"z\"],\"m\":{\"x\": 1, \"y\": 2},\"n\":[-1, 5],"
                        + "\"u\":{\"name\": \"Ann\", \"age\": 40}}");
        assertThat(RowJson.row(ALL, Row.ABSENT)).isNull();
        assertThat(RowJson.row(ALL, Row.ABSENT.with(RowForm.MARKER, Value.TRUE)))
                .isEqualTo("{}");
        assertThat(RowJson.leftOut("too \"large\"")).isEqualTo("{\"$left_out\":\"too \\\"large\\\"\"}");
    }
}
