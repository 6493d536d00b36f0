/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Update;

class CassandraUpdateTest {
    private static CassandraUpdate pair(long timestamp, String column, Object value) {
        PartitionUpdate.SimpleBuilder builder = update(TestTables.PAIRS, "key", timestamp);
        builder.row().add(column, value);
        return new CassandraUpdate(TestTables.ID, builder.build());
    }

    private static PartitionUpdate.SimpleBuilder update(TableMetadata table, String key, long timestamp) {
        return PartitionUpdate.simpleBuilder(table, key).timestamp(timestamp).nowInSec(1);
    }

    @Test
    void theNameOfAMutationIsItsTimestampAndItsContent() {
        assertThat(pair(7, "a", "x").id()).isEqualTo(pair(7, "a", "x").id());
        assertThat(pair(7, "a", "x").id()).isNotEqualTo(pair(8, "a", "x").id());
        assertThat(pair(7, "a", "x").id()).isNotEqualTo(pair(7, "a", "y").id());
        assertThat(pair(7, "a", "x").id()).isNotEqualTo(pair(7, "b", "x").id());
        assertThat(pair(7, "a", "x").id().timestampMicros()).isEqualTo(7);
        assertThat(pair(7, "a", "x").oldestTimestampMicros()).isEqualTo(7);
    }

    @Test
    void theNameDoesNotDependOnHowTheUpdateWasEncodedOrWhichColumnsItsHeaderLists() {
        CassandraUpdate update = pair(7, "a", "x");
        CassandraUpdateCodec codec = new CassandraUpdateCodec();
        CassandraUpdate decoded = (CassandraUpdate) codec.decode(ByteBuffer.wrap(codec.encode(update)));
        assertThat(decoded.id()).isEqualTo(update.id());
        assertThat(decoded.shape()).isEqualTo(update.shape());
        assertThat(decoded.row()).isEqualTo(update.row());
        assertThat(decoded.key()).isEqualTo(update.key());

        PartitionUpdate plain = update.partitionUpdate();
        PartitionUpdate.Builder wide = new PartitionUpdate.Builder(
                TestTables.PAIRS, plain.partitionKey(), TestTables.PAIRS.regularAndStaticColumns(), 1);
        plain.forEach(wide::add);
        assertThat(new CassandraUpdate(TestTables.ID, wide.build()).id()).isEqualTo(update.id());
    }

    /** As of a batch that deletes a partition and writes to it: all with one timestamp, and the deletion wins. */
    @Test
    void theNameDoesNotDependOnWhatTheUpdateItselfDeletes() {
        PartitionUpdate.SimpleBuilder partition = update(TestTables.CART, "key", 7);
        partition.delete();
        partition.row(3).add("a", "x");
        partition.row().add("s", "x");
        partition.addRangeTombstone().start(1).end(5);
        PartitionUpdate.SimpleBuilder ranges = update(TestTables.CART, "key", 7);
        ranges.addRangeTombstone().start(1).end(5);
        ranges.addRangeTombstone().start(4).end(9);
        ranges.row(3).add("a", "x");
        ranges.row(11).add("a", "x");
        for (PartitionUpdate.SimpleBuilder each : List.of(partition, ranges)) {
            CassandraUpdateCodec codec = new CassandraUpdateCodec();
            CassandraUpdate update = new CassandraUpdate(TestTables.ID, each.build());
            CassandraUpdate decoded = (CassandraUpdate) codec.decode(ByteBuffer.wrap(codec.encode(update)));
            assertThat(decoded.id()).isEqualTo(update.id());
            assertThat(decoded.shape()).isEqualTo(update.shape());
            assertThat(decoded.oldestTimestampMicros()).isEqualTo(update.oldestTimestampMicros());
        }
    }

    @Test
    void twoUpdatesThatDeleteDifferentRangesHaveDifferentNames() {
        PartitionUpdate.SimpleBuilder one = update(TestTables.CART, "key", 7);
        one.addRangeTombstone().start(1).end(5);
        PartitionUpdate.SimpleBuilder two = update(TestTables.CART, "key", 7);
        two.addRangeTombstone().start(1).end(6);
        PartitionUpdate.SimpleBuilder later = update(TestTables.CART, "key", 8);
        later.addRangeTombstone().start(1).end(5);
        assertThat(new CassandraUpdate(TestTables.ID, one.build()).id())
                .isNotEqualTo(new CassandraUpdate(TestTables.ID, two.build()).id())
                .isNotEqualTo(new CassandraUpdate(TestTables.ID, later.build()).id());
    }

    @Test
    void theShapeTellsWhichCellsAreWrittenButNothingOfTheirValues() {
        assertThat(pair(7, "a", "x").shape()).isEqualTo(pair(8, "a", "longer").shape());
        assertThat(pair(7, "a", "x").shape()).isNotEqualTo(pair(7, "b", "x").shape());
        assertThat(pair(7, "a", "x").shape()).isNotEqualTo(pair(7, "a", null).shape());
    }

    @Test
    void overwritingACollectionReachesOneMicrosecondBack() {
        PartitionUpdate.SimpleBuilder builder = update(TestTables.CART, "key", 100);
        builder.row(1).add("m", Map.of("x", "y"));
        CassandraUpdate update = new CassandraUpdate(TestTables.ID, builder.build());
        assertThat(update.id().timestampMicros()).isEqualTo(100);
        assertThat(update.oldestTimestampMicros()).isEqualTo(99);
    }

    @Test
    void oneRowHasItsHashAndMoreThanOneIsAnyRow() {
        PartitionUpdate.SimpleBuilder one = update(TestTables.CART, "key", 1);
        one.row(5).add("a", "x");
        CassandraUpdate single = new CassandraUpdate(TestTables.ID, one.build());
        assertThat(single.row()).isEqualTo(RowHash.of(single.clusterings().get(0)));
        assertThat(single.isRowwise()).isTrue();

        PartitionUpdate.SimpleBuilder two = update(TestTables.CART, "key", 1);
        two.row(5).add("a", "x");
        two.row(6).add("a", "x");
        assertThat(new CassandraUpdate(TestTables.ID, two.build()).row()).isEqualTo(Update.ANY_ROW);

        PartitionUpdate.SimpleBuilder both = update(TestTables.CART, "key", 1);
        both.row().add("s", "x");
        both.row(6).add("a", "x");
        assertThat(new CassandraUpdate(TestTables.ID, both.build()).row()).isEqualTo(Update.ANY_ROW);
    }

    @Test
    void theStaticRowHasAHashOfItsOwn() {
        PartitionUpdate.SimpleBuilder builder = update(TestTables.CART, "key", 1);
        builder.row().add("s", "x");
        CassandraUpdate update = new CassandraUpdate(TestTables.ID, builder.build());
        assertThat(update.row()).isEqualTo(RowHash.of(Clustering.STATIC_CLUSTERING));
        assertThat(update.touchesStaticRow()).isTrue();
        assertThat(update.clusterings()).isEmpty();
    }

    @Test
    void deletingAPartitionIsDeletingItsOneRowOnlyWhereThereAreNoClusteringColumns() {
        CassandraUpdate pairs = new CassandraUpdate(
                TestTables.ID, update(TestTables.PAIRS, "key", 9).delete().build());
        assertThat(pairs.isRowwise()).isTrue();
        assertThat(pairs.row()).isEqualTo(RowHash.of(Clustering.EMPTY));
        assertThat(pairs.clusterings()).hasSize(1);
        assertThat(pairs.id().timestampMicros()).isEqualTo(9);

        CassandraUpdate cart = new CassandraUpdate(
                TestTables.ID, update(TestTables.CART, "key", 9).delete().build());
        assertThat(cart.isRowwise()).isFalse();
        assertThat(cart.row()).isEqualTo(Update.ANY_ROW);
    }

    @Test
    void deletingARangeIsNotRowwise() {
        PartitionUpdate.SimpleBuilder builder = update(TestTables.CART, "key", 9);
        builder.addRangeTombstone().start(1).end(5);
        CassandraUpdate update = new CassandraUpdate(TestTables.ID, builder.build());
        assertThat(update.isRowwise()).isFalse();
        assertThat(update.row()).isEqualTo(Update.ANY_ROW);
    }

    @Test
    void bytesThatAreNoUpdateAreRefusedWithAReason() {
        CassandraUpdateCodec codec = new CassandraUpdateCodec();
        byte[] good = codec.encode(pair(7, "a", "x"));
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(new byte[3])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(good, 0, good.length / 2)))
                .isInstanceOf(IllegalArgumentException.class);
        byte[] version = good.clone();
        version[3]++;
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(version)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("version");
        byte[] table = good.clone();
        table[26]++; // within the table's id, after its name in the middleware
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(table)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an update is damaged");
        byte[] sealed = CheckedBytes.seal(table, 4);
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(sealed)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table");
    }
}
