/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.Presets;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The report's files, of results as if they had been measured. */
final class PageTest {
    private static final List<String> WITH_RATIOS = List.of("quick", "overhead", "scale");

    @TempDir
    private Path folder;

    private static Document parsed(String page) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(page)));
    }

    @Test
    void everyPlansPageIsWellFormedAndNeedsNothingButItself() throws Exception {
        for (String name : Presets.NAMES) {
            BenchResult result = BenchSamples.result(Presets.preset(name));
            // Those of the larger plans take seconds.
            List<Ratio> ratios = WITH_RATIOS.contains(name) ? Ratios.of(result) : List.of();
            String page = Page.of(result, ratios);
            Document document = parsed(page);

            assertThat(document.getElementsByTagName("svg").getLength())
                    .as(name)
                    .isGreaterThanOrEqualTo(5);
            int figures = document.getElementsByTagName("figure").getLength();
            assertThat(figures).as(name).isPositive();
            assertThat(document.getElementsByTagName("figcaption").getLength())
                    .as("figures of %s that say how to come by them again", name)
                    .isEqualTo(figures);
            assertThat(document.getElementsByTagName("h1").item(0).getTextContent())
                    .isEqualTo(result.plan().question());
            assertThat(page)
                    .contains("&lt;processor&gt; &amp; more", "./meteor bench &lt;quick&gt; &amp; &quot;more&quot;")
                    .doesNotContain("NaN", "Infinity", "<script", "src=", "href=", "url(", "@import");
        }
    }

    @Test
    void aPageOfAPlanThatWasStoppedSaysSo() throws Exception {
        BenchResult all = BenchSamples.result(Presets.preset("quick"));
        BenchResult stopped = new BenchResult(
                all.plan(),
                1,
                "x",
                all.started(),
                all.machine(),
                List.of(),
                all.runs().subList(0, 1),
                List.of(),
                "a <node> died");
        assertThat(parsed(Page.of(stopped, Ratios.of(stopped)))
                        .getDocumentElement()
                        .getTextContent())
                .contains("not done to its end: a <node> died");
    }

    @Test
    void anElementThatIsNotClosedIsNoticed() {
        assertThatThrownBy(() -> new Html().open("p").toString()).hasMessageContaining("not closed");
    }

    @Test
    void aFailureIsCountedOnceWithTheKindOfWhatFailed() throws Exception {
        BenchResult all = BenchSamples.result(Presets.preset("quick"));
        RunResult whole = all.runs().get(0);
        RunResult failed = new RunResult(
                whole.run(),
                whole.seconds(),
                whole.windows(),
                whole.readService(),
                whole.writeService(),
                whole.staleness(),
                whole.served(),
                Map.of(Op.WRITE, new RunResult.Failures(3, "a node <died>")),
                0,
                false,
                whole.check(),
                whole.traffic(),
                whole.transactions(),
                whole.byDataCentre());
        BenchResult result = new BenchResult(
                all.plan(), 1, "x", all.started(), all.machine(), List.of(), List.of(failed), List.of(), null);
        JsonNode runs = ResultsJson.of(result, List.of()).get("runs");

        assertThat(runs).hasSize(2);
        for (JsonNode run : runs) {
            boolean write = run.get("op").asText().equals("write");
            assertThat(run.get("failures").asInt()).isEqualTo(write ? 3 : 0);
            assertThat(run.get("first_failure").asText()).isEqualTo(write ? "a node <died>" : "null");
        }
        assertThat(failed.failures()).isEqualTo(3);
        assertThat(parsed(Page.of(result, List.of())).getDocumentElement().getTextContent())
                .contains("Operations failed");
    }

    @Test
    void theFilesOfAReportHoldWhatWasMeasured() throws Exception {
        BenchPlan plan = Presets.preset("quick");
        BenchResult result = BenchSamples.result(plan);
        Report report = new Report(folder.resolve("out"));
        result.runs().forEach(run -> report.add(run, result));
        List<Ratio> ratios = report.finish(result);

        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("out/results.json").toFile());
        assertThat(json.get("runs")).hasSize(2 * plan.runs());
        JsonNode first = json.get("runs").get(0);
        for (String field : List.of(
                "system", "mode", "delay_ms", "workload", "op", "count", "p50_ms", "p99_ms", "p999_ms", "throughput")) {
            assertThat(first.hasNonNull(field)).as(field).isTrue();
        }
        assertThat(first.get("count").asInt()).isEqualTo(400);
        assertThat(first.get("disturbed_windows").asInt()).isEqualTo(2);
        assertThat(first.get("undisturbed").get("count").asInt()).isEqualTo(300);
        assertThat(first.get("throughput").asDouble()).isEqualTo(50);
        assertThat(json.get("ratios")).hasSize(ratios.size());
        assertThat(ratios)
                .filteredOn(ratio -> ratio.of().equals("meteorshower")
                        && ratio.to().equals("cassandra-quorum")
                        && ratio.quantity() == Quantity.P50)
                .hasSize(2)
                .allSatisfy(ratio -> assertThat(ratio.value().value()).isBetween(0.015, 0.018));

        Path histogram = folder.resolve("out").resolve(first.get("histogram").asText());
        assertThat(histogram).content().contains("#[Mean", "Total count    =          400");
        Path log = Path.of(histogram.toString().replace("-read.hgrm", ".hlog"));
        HistogramLogReader reader = new HistogramLogReader(log.toFile());
        long reads = 0;
        for (Histogram next = (Histogram) reader.nextIntervalHistogram();
                next != null;
                next = (Histogram) reader.nextIntervalHistogram()) {
            reads += "read".equals(next.getTag()) ? next.getTotalCount() : 0;
        }
        reader.close();
        assertThat(reads).isEqualTo(400);
        assertThat(Files.size(folder.resolve("out/index.html"))).isGreaterThan(10_000);
    }
}
