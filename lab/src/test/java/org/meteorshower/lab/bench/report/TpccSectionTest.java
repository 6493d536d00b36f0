/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.bench.plan.Presets;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.TpccFigures;
import org.meteorshower.lab.bench.run.TransactionFigures;
import org.meteorshower.lab.tpcc.TpccType;

/** The report of TPC-C, of results as if they had been measured: in 8 s. */
final class TpccSectionTest {
    private static TransactionFigures figures() {
        Map<TpccType, TpccFigures.OfType> byType = new EnumMap<>(TpccType.class);
        for (TpccType type : TpccType.values()) {
            Histogram latencies = new Histogram(3);
            latencies.setAutoResize(true);
            latencies.recordValueWithCount(104_000, type.share() * 10L);
            boolean orders = type == TpccType.NEW_ORDER;
            byType.put(type, new TpccFigures.OfType(latencies, type.share() * 10L, orders ? 5 : 0, orders ? 2 : 0, 1));
        }
        return new TransactionFigures(1_005, 2, 5, 0, Map.of(), Map.of(), List.of(), new TpccFigures(byType, 3));
    }

    private static BenchResult result() {
        BenchResult all = BenchSamples.result(Presets.preset("tpcc"));
        List<RunResult> runs = new ArrayList<>();
        for (RunResult run : all.runs()) {
            runs.add(new RunResult(
                    run.run(),
                    run.seconds(),
                    run.windows(),
                    run.readService(),
                    run.writeService(),
                    run.staleness(),
                    run.served(),
                    Map.of(),
                    0,
                    false,
                    new RunResult.Check("TPC-C", "consistent", "all hold", 10, 0.1),
                    null,
                    figures(),
                    run.byDataCentre()));
        }
        return new BenchResult(all.plan(), 1, "x", all.started(), all.machine(), List.of(), runs, List.of(), null);
    }

    @Test
    void thePageAndTheTerminalSayWhatAMinuteBringsAndThatItIsNoAuditedResult() {
        BenchResult result = result();
        String page = Page.of(result, List.of());
        String terminal = String.join("\n", ConsoleTable.lines(result, List.of()));

        // 450 in 8 s, of each run; the machine has 2 cores.
        assertThat(page)
                .contains("TPC-C: new orders a minute", "3,375", "1688", "no audited TPC-C result", "104 / 104 / 104")
                .contains("3.3.2.1 to 3.3.2.12", "1.10 %");
        assertThat(terminal)
                .contains("3,375 new orders a minute (1688 for each of the machine's 2 cores")
                .contains("intended rollbacks 1.1 % of new orders", "no audited TPC-C result")
                .contains("order-status");
    }

    @Test
    void theJsonHasEachKindApart() {
        JsonNode tpcc = ResultsJson.of(result(), List.of()).get("runs").get(0).get("tpcc");

        assertThat(tpcc.get("audited").asBoolean()).isFalse();
        assertThat(tpcc.get("new_orders_per_minute").asDouble()).isEqualTo(3_375);
        assertThat(tpcc.get("by_type").get("payment").get("p99_ms").asDouble()).isBetween(104.0, 104.1);
        assertThat(tpcc.get("by_type").get("new-order").get("rollbacks").asInt())
                .isEqualTo(5);
    }

    @Test
    void modelsHaveNoCoresAndNodesHave() {
        for (RunResult run : result().runs()) {
            TpccOutcomes outcomes = TpccOutcomes.of(List.of(run));
            assertThat(outcomes).isNotNull();
            boolean nodes = run.run().system().name().equals("catenae");
            assertThat(Double.isNaN(outcomes.perNodeCore())).isEqualTo(!nodes);
        }
    }
}
