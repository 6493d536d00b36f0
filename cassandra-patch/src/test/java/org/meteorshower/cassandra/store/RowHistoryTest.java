/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.NavigableMap;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Update;

class RowHistoryTest {
    private static final ColumnMetadata A = TestTables.CART.getColumn(UTF8Type.instance.decompose("a"));

    private static Clustering<?> c(int value) {
        return Clustering.make(Int32Type.instance.decompose(value));
    }

    private static CassandraUpdate write(long timestamp, int row, String a) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.CART, "key")
                .timestamp(timestamp)
                .nowInSec(1);
        builder.row(row).add("a", a);
        return new CassandraUpdate(TestTables.ID, builder.build());
    }

    private static CassandraUpdate deleteRow(long timestamp, int row) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.CART, "key")
                .timestamp(timestamp)
                .nowInSec(1);
        builder.row(row).delete();
        return new CassandraUpdate(TestTables.ID, builder.build());
    }

    private static CassandraUpdate deleteRange(long timestamp, int from, int to) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.CART, "key")
                .timestamp(timestamp)
                .nowInSec(1);
        builder.addRangeTombstone().start(from).end(to);
        return new CassandraUpdate(TestTables.ID, builder.build());
    }

    private static RowHistory history(CassandraUpdate... rows) {
        NavigableMap<Clustering<?>, Row> map = RowHistory.emptyRows(TestTables.CART);
        for (CassandraUpdate each : rows) {
            each.partitionUpdate().forEach(row -> map.put(row.clustering(), row));
        }
        return new RowHistory(TestTables.CART, map, null);
    }

    private static String a(RowHistory history, int row, Update... visible) {
        PartitionUpdate merged = history.mergedWith(
                List.of(visible), TestTables.CART.partitioner.decorateKey(UTF8Type.instance.decompose("key")));
        Row found = merged.getRow(c(row));
        Cell<?> cell = found == null ? null : found.getCell(A);
        return cell == null || cell.isTombstone() ? null : UTF8Type.instance.compose(cell.buffer());
    }

    @Test
    void itCoversAnUpdateOnlyIfItHoldsEveryRowThatTheUpdateTouches() {
        RowHistory history = history(write(1, 1, "one"));
        assertThat(history.covers(write(5, 1, "x"))).isTrue();
        assertThat(history.covers(write(5, 2, "x"))).isFalse();
        assertThat(history.covers(deleteRange(5, 1, 1))).isFalse();
        assertThat(history.coversRow(RowHash.of(c(1)))).isTrue();
        assertThat(history.coversRow(RowHash.of(c(2)))).isFalse();
        assertThat(history.coversRow(Update.ANY_ROW)).isFalse();
    }

    @Test
    void theVisibleMutationsAreMergedOverItLastWriteWins() {
        RowHistory history = history(write(10, 1, "old"));
        assertThat(a(history, 1)).isEqualTo("old");
        assertThat(a(history, 1, write(20, 1, "new"))).isEqualTo("new");
        assertThat(a(history, 1, write(5, 1, "older"))).isEqualTo("old");
        assertThat(a(history, 1, write(30, 1, "c"), write(20, 1, "b"))).isEqualTo("c");
    }

    @Test
    void itShowsAnUpdateOfWhichAllIsThereOrOverwritten() {
        RowHistory history = history(write(10, 1, "one"), write(10, 2, "two"));
        assertThat(history.shows(write(10, 1, "one"))).isTrue();
        assertThat(history.shows(write(9, 1, "older"))).isTrue();
        assertThat(history.shows(write(11, 1, "newer"))).isFalse();
        assertThat(history.shows(write(11, 1, "one"))).isFalse(); // the same value, which outlives what is older
        assertThat(history.shows(write(9, 3, "another row"))).isFalse();
        assertThat(history.shows(deleteRange(9, 1, 2))).isFalse(); // nobody looked
    }

    @Test
    void itShowsADeletionThatIsThereOrOverwritten() {
        RowHistory history = history(deleteRow(10, 1));
        assertThat(history.shows(deleteRow(10, 1))).isTrue();
        assertThat(history.shows(write(9, 1, "deleted since"))).isTrue();
        assertThat(history.shows(write(11, 1, "written since"))).isFalse();
        assertThat(history.shows(deleteRow(11, 1))).isFalse();
        assertThat(history(write(10, 1, "one")).shows(deleteRow(9, 1))).isFalse(); // it may hide other columns
    }

    @Test
    void extendingItKeepsWhatItHasAndAddsTheRest() {
        RowHistory extended = (RowHistory)
                history(write(1, 1, "first")).extendedBy(history(write(2, 1, "later"), write(2, 2, "two")));
        assertThat(a(extended, 1)).isEqualTo("first");
        assertThat(a(extended, 2)).isEqualTo("two");
    }

    @Test
    void absorbingMakesARetiredMutationPartOfItAndDropsRowsThatNothingTouchesAnyMore() {
        RowHistory history = history(write(1, 1, "one"), write(1, 2, "two"));
        RowHistory absorbed = (RowHistory) history.absorbing(write(5, 1, "retired"), List.of(write(9, 1, "in flight")));
        assertThat(a(absorbed, 1)).isEqualTo("retired");
        assertThat(absorbed.holds(c(1))).isTrue();
        assertThat(absorbed.holds(c(2))).isFalse();
    }

    @Test
    void anAbsorbedRangeDeletionKeepsOlderMutationsDeleted() {
        RowHistory history = history(write(1, 1, "one"));
        RowHistory absorbed = (RowHistory)
                history.absorbing(deleteRange(50, 0, 9), List.of(write(40, 1, "older"), write(60, 1, "newer")));
        assertThat(a(absorbed, 1)).isNull();
        assertThat(a(absorbed, 1, write(40, 1, "older"))).isNull();
        assertThat(a(absorbed, 1, write(60, 1, "newer"))).isEqualTo("newer");
    }

    @Test
    void aRowThatWasNotThereIsKnownToBeEmptyAndCarriesTheDeletionThatEmptiedIt() {
        NavigableMap<Clustering<?>, Row> rows = RowHistory.emptyRows(TestTables.CART);
        rows.put(c(1), RowHistory.shadowed(BTreeRow.emptyRow(c(1)), DeletionTime.build(50, 1)));
        RowHistory history = new RowHistory(TestTables.CART, rows, null);
        assertThat(history.coversRow(RowHash.of(c(1)))).isTrue();
        assertThat(a(history, 1, write(40, 1, "older"))).isNull();
        assertThat(a(history, 1, write(60, 1, "newer"))).isEqualTo("newer");
    }
}
