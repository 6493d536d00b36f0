/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.torture.Distribution;
import org.meteorshower.lab.torture.Sample;
import org.xml.sax.InputSource;

final class SizeReportTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MEGABYTE = 1_000_000;

    private final Tally bulk = new Tally();
    private final Lanes lanes = new Lanes();
    private final Budgets budgets = new Budgets();

    private static SizeOptions options() {
        return new SizeOptions(
                ClusterOptions.builder().build(),
                new Heaps(256, 512),
                Duration.ofMinutes(10),
                List.of(PhaseKind.values()),
                new BulkOptions(400, 16, 20, 1_000, 0),
                0,
                Duration.ofMinutes(5),
                null,
                Path.of("torture-size"));
    }

    private static NodeSample sample(long nanos, long afterCollection, Budgets.Use use) {
        return new NodeSample(
                nanos,
                "eu-1",
                new HeapProbe.Heap(300 * MEGABYTE, 200 * MEGABYTE, afterCollection, 500 * MEGABYTE, 10),
                new TableProbe.Told(List.of(use), Set.of("eu"), 0, 0, 0, 1, true),
                new DiskUse(5, nanos / SECOND, 7));
    }

    private PhaseResult phase(String obstacle, long lost, List<String> violations, List<NodeWatch.Death> deaths) {
        Budgets.Use use = new Budgets.Use("rows", 50, 100, 60, 3);
        return new PhaseResult(
                PhaseKind.BULK,
                10 * SECOND,
                30 * SECOND,
                4.5,
                obstacle,
                lost,
                violations,
                deaths,
                bulk,
                new Tally(),
                Map.of("beside", Distribution.of(List.of(new Sample(0, 2_000_000, 0, 0, Sample.What.WRITE, false)))),
                Map.of(),
                Map.of(),
                Map.of("load ends", Map.of("eu-1", 0.4)),
                lanes,
                budgets,
                List.of(sample(11 * SECOND, 0, use), sample(12 * SECOND, 400 * MEGABYTE, use)),
                Map.of("catch_up_seconds", 7.0),
                List.of(new PhaseResult.Band("kill asia", 12, 20)));
    }

    private SizeResult result(PhaseResult... phases) {
        return new SizeResult(options(), List.of(phases));
    }

    @Test
    void aRunInWhichNothingIsWrongIsRight() {
        SizeResult result = result(phase("", 0, List.of(), List.of()));

        assertThat(result.isRight()).isTrue();
        assertThat(SizeReport.verdict(result)).contains("verdict: right");
        ObjectNode json = SizeReport.json(result);
        for (String zero : List.of("violations", "lost", "died", "budget_exceeded", "lane_changes")) {
            assertThat(json.get(zero).asLong()).as(zero).isZero();
        }
    }

    @Test
    void eachOfTheFourAndNotBeingAsBeforeMakesARunWrong() {
        assertThat(result(phase("us-1 has no process", 0, List.of(), List.of())).isRight())
                .isFalse();
        assertThat(result(phase("", 1, List.of(), List.of())).isRight()).isFalse();
        assertThat(result(phase("", 0, List.of("money is missing"), List.of())).isRight())
                .isFalse();
        assertThat(result(phase("", 0, List.of(), List.of(new NodeWatch.Death(3, "eu-1"))))
                        .isRight())
                .isFalse();
        budgets.saw("eu-1", new Budgets.Use("rows", 101, 100, 101, 1));
        assertThat(result(phase("", 0, List.of(), List.of())).isRight()).isFalse();
    }

    @Test
    void theFourAreSumsOverThePhases() {
        budgets.saw("eu-1", new Budgets.Use("rows", 101, 100, 101, 1));
        lanes.saw(1, "eu-1", Set.of("eu"), false);
        lanes.saw(2, "us-1", Set.of("eu"), false);
        PhaseResult bad = phase("", 2, List.of("a", "b"), List.of(new NodeWatch.Death(3, "eu-1")));

        ObjectNode json = SizeReport.json(result(bad, bad));

        assertThat(json.get("violations").asInt()).isEqualTo(4);
        assertThat(json.get("lost").asInt()).isEqualTo(4);
        assertThat(json.get("died").asInt()).isEqualTo(2);
        assertThat(json.get("budget_exceeded").asInt()).isEqualTo(2);
        assertThat(json.get("lane_changes").asInt()).isEqualTo(2);
        assertThat(json.get("phases")).hasSize(2);
    }

    @Test
    void aPhaseTellsItsRatesHeapBudgetsAndDisk() {
        for (int second = 10; second < 30; second++) {
            bulk.acknowledged(second * SECOND, second * SECOND + SECOND / 2, 40, true);
        }
        bulk.failed(12 * SECOND, new LoadError("OVERLOADED", true, Duration.ZERO));
        budgets.saw("eu-1", new Budgets.Use("rows", 50, 100, 60, 3));

        ObjectNode json = SizeReport.json(result(phase("", 0, List.of(), List.of())));

        var phase = json.get("phases").get(0);
        assertThat(phase.get("name").asText()).isEqualTo("bulk");
        assertThat(phase.get("acknowledged").asInt()).isEqualTo(800);
        assertThat(phase.get("bulk").get("rate_by_tenth")).hasSize(10).allMatch(rate -> rate.asInt() == 40);
        assertThat(phase.get("bulk").get("last_tenth_to_second").asDouble()).isEqualTo(1);
        assertThat(phase.get("bulk").get("refused").asInt()).isEqualTo(1);
        assertThat(phase.get("bulk").get("errors").get("OVERLOADED").asInt()).isEqualTo(1);
        assertThat(phase.get("hot_mix").get("beside").get("p99_ms").asDouble()).isEqualTo(2);
        assertThat(phase.get("heap_after_collection").get("eu-1").asDouble()).isEqualTo(0.8);
        assertThat(phase.get("budgets").get("eu-1 rows").get("times_full").asInt())
                .isEqualTo(3);
        assertThat(phase.get("disk_bytes_at_most")
                        .get("eu-1")
                        .get("transaction_log")
                        .asInt())
                .isEqualTo(12);
        assertThat(SizeReport.lines(phase("", 0, List.of(), List.of())))
                .anyMatch(line -> line.contains("MORE than 60 %"));
    }

    @Test
    void aRunIsDrawn() throws Exception {
        bulk.acknowledged(11 * SECOND, 12 * SECOND, 40, true);
        String svg = SizeSvg.of(result(phase("", 0, List.of(), List.of())));

        assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
        var drawn =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(drawn.getElementsByTagName("path").getLength()).isGreaterThanOrEqualTo(5);
        assertThat(drawn.getDocumentElement().getTextContent()).contains("kill asia", "bulk", "eu-1");
    }

    @Test
    void nothingIsDrawnToo() {
        assertThat(SizeSvg.of(result())).endsWith("</svg>\n");
    }

    @Test
    void thePhasesShareTheTimeAmongThem() {
        SizeOptions all = options();

        assertThat(all.length(PhaseKind.BULK)).isEqualTo(Duration.ofSeconds(125));
        assertThat(all.phases().stream()
                        .mapToLong(kind -> all.length(kind).toMillis())
                        .sum())
                .isBetween(599_000L, 600_000L);
        assertThat(all.cluster(PhaseKind.OUTAGE).heapMegabytes()).isEqualTo(256);
        assertThat(all.cluster(PhaseKind.BULK).heapMegabytes()).isEqualTo(512);
    }

    @Test
    void phasesHaveWords() {
        assertThat(PhaseKind.named("bulk-death")).isEqualTo(PhaseKind.BULK_DEATH);
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> PhaseKind.named("flood"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slow-reader");
    }
}
