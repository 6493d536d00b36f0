/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryShares;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.RefusalCause;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.metrics.TableMetrics.ReadOutcome;
import org.meteorshower.cassandra.metrics.TableMetrics.WriteOutcome;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.protocol.Awaited;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;

/** Each view shows what it is told, in the columns that docs/METRICS.md names. */
class ViewsTest {
    private final MetricSet metrics = new MetricSet(MetricSet.SILENT);

    @BeforeAll
    static void prepare() {
        Shown.prepare();
    }

    @Test
    void readsAreShownByTableAndMode() {
        TableMetrics measured = new TableMetrics(metrics);
        measured.reads(TestTables.PAIRS, ReadMode.SEQUENTIAL).served(ReadOutcome.LOCAL, 300, 5_000);
        measured.reads(TestTables.PAIRS, ReadMode.SEQUENTIAL).served(ReadOutcome.LOCAL, 300, 5_000);
        measured.reads(TestTables.PAIRS, ReadMode.STRICT).refused();

        List<Map<String, String>> shown = Shown.by(new ReadsView(metrics));
        assertThat(shown).hasSize(2).allSatisfy(row -> assertThat(row)
                .containsEntry("keyspace_name", "test")
                .containsEntry("table_name", "pairs"));
        assertThat(shown).anySatisfy(row -> assertThat(row)
                .containsEntry("mode", "sequential")
                .containsEntry("local", "2")
                .containsEntry("refused", "0")
                .containsKeys("latency_p50_micros", "staleness_p99_micros"));
        assertThat(shown)
                .anySatisfy(
                        row -> assertThat(row).containsEntry("mode", "strict").containsEntry("refused", "1"));
    }

    @Test
    void writesAreShownByTable() {
        TableMetrics measured = new TableMetrics(metrics);
        measured.writes(TestTables.CART).acknowledged(100_000);
        measured.writes(TestTables.CART).ended(WriteOutcome.UNKNOWN);

        assertThat(Shown.by(new WritesView(metrics))).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("table_name", "cart")
                .containsEntry("acknowledged", "1")
                .containsEntry("unknown", "1")
                .containsEntry("failed", "0"));
    }

    @Test
    void refusalsAreShownByCauseWithTheirLastText() {
        Refusals refusals = new Refusals(metrics);
        refusals.add("read", "shop.cart", RefusalCause.CLOCK, "first");
        refusals.add("read", "shop.cart", RefusalCause.CLOCK, "second");

        assertThat(Shown.by(new RefusalsView(refusals))).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("cause", "clock")
                .containsEntry("operation", "read")
                .containsEntry("table_name", "shop.cart")
                .containsEntry("times", "2")
                .containsEntry("last_message", "second")
                .containsKeys("first_at", "last_at"));
    }

    @Test
    void aModeIsShownWithTheReasonWhyItIsNotTaken() {
        List<Map<String, String>> shown = Shown.by(new ModesView(
                () -> List.of(new ModesView.Mode("sequential", null), new ModesView.Mode("strict", "a clock is off"))));

        assertThat(shown).anySatisfy(row -> assertThat(row)
                .containsEntry("mode", "sequential")
                .containsEntry("available", "true")
                .doesNotContainKey("why_not"));
        assertThat(shown).anySatisfy(row -> assertThat(row)
                .containsEntry("mode", "strict")
                .containsEntry("available", "false")
                .containsEntry("why_not", "a clock is off"));
    }

    @Test
    void waysAreShownWithTheirRoundTripWhereItIsKnown() {
        NodeId near = new NodeId(new UUID(0, 1));
        NodeId unknown = new NodeId(new UUID(0, 2));
        WaysView view = new WaysView(() -> Map.of(
                new WaysView.Place("10.0.0.1:7000", "eu"), new Way.Figures(near, 20, 30, false, 1, 5, 4, 3, 2),
                new WaysView.Place("10.0.0.2:7000", "us"), new Way.Figures(unknown, -1, 30, true, 0, 0, 0, 0, 0)));

        assertThat(Shown.by(view))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("host_id", near.value().toString())
                        .containsEntry("address", "10.0.0.1:7000")
                        .containsEntry("data_centre", "eu")
                        .containsEntry("round_trip_micros", "20")
                        .containsEntry("late_after_micros", "30")
                        .containsEntry("suspected", "false")
                        .containsEntry("in_flight", "1")
                        .containsEntry("reads", "5")
                        .containsEntry("probes", "4")
                        .containsEntry("hedged", "3")
                        .containsEntry("won", "2"))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("data_centre", "us")
                        .containsEntry("suspected", "true")
                        .doesNotContainKey("round_trip_micros"));
    }

    @Test
    void leasesAreShownWithWhatIsLeftOfThem() {
        LeasesView view = new LeasesView(() -> List.of(new LeasesView.Entry(
                "10.0.0.7:7000", "eu", new CoreView.Lease(NodeId.of(7), 500_000, 0, true, false, 3, 1))));
        assertThat(Shown.by(view)).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("host_id", NodeId.of(7).value().toString())
                .containsEntry("address", "10.0.0.7:7000")
                .containsEntry("data_centre", "eu")
                .containsEntry("held_micros", "500000")
                .containsEntry("promised_micros", "0")
                .containsEntry("asks", "true")
                .containsEntry("lags", "false")
                .containsEntry("times", "3")
                .containsEntry("lapses", "1"));
    }

    @Test
    void aReadThatWaitsIsShownWithWhatItWaitsFor() {
        WaitingReadsView view = new WaitingReadsView(limit -> {
            assertThat(limit).isEqualTo(WaitingReadsView.MOST_SHOWN);
            return List.of(
                    new WaitingReadsView.Read(7, "shop", "cart", "a", "sequential", Awaited.TABLE, 10, 20, false));
        });

        assertThat(Shown.by(view)).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("read_id", "7")
                .containsEntry("partition_key", "a")
                .containsEntry("why", Awaited.TABLE.text())
                .containsEntry("left_micros", "20"));
    }

    @Test
    void theNodeIsOneRow() {
        UUID host = new UUID(1, 2);
        NodeView view =
                new NodeView(() -> new NodeView.State(host, "eu", true, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));

        assertThat(Shown.by(view)).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("host_id", host.toString())
                .containsEntry("data_centre", "eu")
                .containsEntry("incarnation", "3")
                .containsEntry("clock_ahead_micros", "15"));
    }

    @Test
    void memoryIsShownByWhoHoldsIt() throws Exception {
        MemoryBudget budget = MemoryBudget.of(1_024L << 20, MemoryShares.DEFAULTS, 15L << 20);
        budget.register(MemoryUser.ONLINE_CHECK, () -> 42);

        assertThat(Shown.by(new MemoryView(budget))).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("user", "online_check")
                .containsEntry("used_bytes", "42")
                .containsEntry("peak_bytes", "42")
                .containsEntry("at_its_end", MemoryUser.ONLINE_CHECK.atItsEnd()));
    }
}
