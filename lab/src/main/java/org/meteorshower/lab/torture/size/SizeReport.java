/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.torture.Distribution;

/** What a run gave, for people and for programs. Stateless. */
final class SizeReport {
    private static final double MOST_HEAP = 0.6;

    private SizeReport() {}

    /** Of one phase. */
    static List<String> lines(PhaseResult phase) {
        List<String> lines = new ArrayList<>();
        loads(phase, lines);
        phase.mix().forEach((name, each) -> lines.add("  hot mix " + name + ": " + words(each)));
        phase.waits().forEach((name, each) -> lines.add("  sequential " + name + ": " + words(each)));
        heapAfterCollection(phase)
                .forEach((node, share) -> lines.add(String.format(
                        Locale.ROOT,
                        "  %s: old objects after a collection, at most %.0f %% of the heap%s",
                        node,
                        100 * share,
                        share > MOST_HEAP ? ", MORE than 60 %" : "")));
        phase.collected().forEach((name, shares) -> lines.add("  the same, " + name + ": " + percents(shares)));
        phase.notes().forEach((name, value) -> lines.add(String.format(Locale.ROOT, "  %s: %.1f", name, value)));
        lines.add("  lanes that changed their leader without a fault: "
                + phase.lanes().unprovoked());
        lines.add(
                phase.budgets().isTold()
                        ? "  budgets exceeded: " + phase.budgets().exceeded()
                        : "  budgets exceeded: 0 counted, since these nodes have no table meteorshower.memory");
        phase.deaths()
                .forEach(death ->
                        lines.add(String.format(Locale.ROOT, "  DIED: %s at %.1f s", death.node(), death.second())));
        phase.violations().forEach(line -> lines.add("  WRONG " + line));
        lines.add("  lost: " + phase.lost());
        lines.add(
                phase.obstacle().isEmpty()
                        ? String.format(Locale.ROOT, "  as before after %.1f s", phase.settledSeconds())
                        : "  NOT as before: " + phase.obstacle());
        return lines;
    }

    private static void loads(PhaseResult phase, List<String> lines) {
        for (Map.Entry<String, Tally> load :
                List.of(Map.entry("bulk", phase.bulk()), Map.entry("sequential", phase.sequential()))) {
            Tally tally = load.getValue();
            if (tally.rows() == 0 && tally.errors().isEmpty()) {
                continue;
            }
            double[] tenths = phase.tenths(tally);
            lines.add(String.format(
                    Locale.ROOT,
                    "  %s: %,d rows in %.0f s; a second, by tenth: %s; last to second %.2f",
                    load.getKey(),
                    tally.rows(),
                    phase.seconds(),
                    Arrays.stream(tenths)
                            .mapToObj(rate -> String.format(Locale.ROOT, "%,.0f", rate))
                            .collect(Collectors.joining(" ")),
                    Rates.lastToSecond(tenths)));
            lines.add(String.format(
                    Locale.ROOT, "    refused %,d, unknown %,d: %s", tally.refused(), tally.unknown(), tally.errors()));
        }
    }

    private static String words(Distribution each) {
        return String.format(
                Locale.ROOT,
                "median %.1f ms, p99 %.1f ms, longest %.1f ms of %,d",
                each.at(50),
                each.at(99),
                each.max(),
                each.count());
    }

    private static String percents(Map<String, Double> shares) {
        return shares.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%s %.0f %%", each.getKey(), 100 * each.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** By node, the most that a full collection left, asked for or not, as a share of the heap. */
    static Map<String, Double> heapAfterCollection(PhaseResult phase) {
        Map<String, Double> most = new TreeMap<>();
        for (NodeSample sample : phase.samples()) {
            HeapProbe.Heap heap = sample.heap();
            if (heap != null && heap.oldAfterCollection() > 0) {
                most.merge(sample.node(), heap.shareAfterCollection(), Math::max);
            }
        }
        return most;
    }

    /** The four, and the verdict. */
    static List<String> verdict(SizeResult result) {
        return List.of(
                "",
                String.format(
                        Locale.ROOT,
                        "violations %d, lost %d, died %d, budgets exceeded %d,"
                                + " lanes with another leader without a fault %d",
                        result.violations(),
                        result.lost(),
                        result.died(),
                        result.budgetExceeded(),
                        result.unprovokedLaneChanges()),
                result.isRight() ? "verdict: right" : "verdict: WRONG");
    }

    static ObjectNode json(SizeResult result) {
        ObjectNode json = Json.object();
        json.put("violations", result.violations());
        json.put("lost", result.lost());
        json.put("died", result.died());
        json.put("budget_exceeded", result.budgetExceeded());
        json.put("lane_changes", result.unprovokedLaneChanges());
        ArrayNode phases = json.putArray("phases");
        result.phases().forEach(phase -> phases.add(json(phase)));
        return json;
    }

    private static ObjectNode json(PhaseResult phase) {
        ObjectNode json = Json.object();
        json.put("name", phase.kind().word());
        Json.number(json, "seconds", phase.seconds());
        Json.number(json, "settled_seconds", phase.settledSeconds());
        json.put("settled", phase.obstacle().isEmpty());
        json.put("lost", phase.lost());
        json.put("died", phase.deaths().size());
        json.put("budgets_told", phase.budgets().isTold());
        json.put("budget_exceeded", phase.budgets().exceeded());
        json.put("lane_changes", phase.lanes().unprovoked());
        json.put("acknowledged", phase.bulk().rows() + phase.sequential().rows());
        load(json.putObject("bulk"), phase, phase.bulk());
        load(json.putObject("sequential"), phase, phase.sequential());
        latencies(json.putObject("hot_mix"), phase.mix());
        phase.mixFailures().forEach(json.putObject("hot_mix_failed")::put);
        latencies(json.putObject("sequential_ms"), phase.waits());
        numbers(json.putObject("heap_after_collection"), heapAfterCollection(phase));
        ObjectNode collected = json.putObject("heap_when_asked");
        phase.collected().forEach((name, shares) -> numbers(collected.putObject(name), shares));
        budgets(json.putObject("budgets"), phase.budgets());
        disk(json.putObject("disk_bytes_at_most"), phase);
        numbers(json.putObject("notes"), phase.notes());
        ArrayNode violations = json.putArray("violations");
        phase.violations().forEach(violations::add);
        return json;
    }

    private static void load(ObjectNode json, PhaseResult phase, Tally tally) {
        double[] tenths = phase.tenths(tally);
        json.put("acknowledged", tally.rows());
        ArrayNode rates = json.putArray("rate_by_tenth");
        Arrays.stream(tenths).forEach(rate -> rates.add(Math.round(rate)));
        Json.number(json, "last_tenth_to_second", Rates.lastToSecond(tenths));
        json.put("refused", tally.refused());
        json.put("unknown", tally.unknown());
        tally.errors().forEach(json.putObject("errors")::put);
    }

    private static void latencies(ObjectNode json, Map<String, Distribution> latencies) {
        latencies.forEach((name, each) -> {
            ObjectNode node = json.putObject(name);
            node.put("count", each.count());
            Json.number(node, "p50_ms", each.at(50));
            Json.number(node, "p99_ms", each.at(99));
            Json.number(node, "longest_ms", each.max());
        });
    }

    private static void numbers(ObjectNode json, Map<String, Double> numbers) {
        numbers.forEach((name, value) -> Json.number(json, name, value));
    }

    private static void budgets(ObjectNode json, Budgets budgets) {
        new TreeMap<>(budgets.most()).forEach((name, use) -> {
            ObjectNode node = json.putObject(name);
            node.put("used", use.used());
            node.put("peak", use.peak());
            node.put("limit", use.limit());
            node.put("times_full", use.timesFull());
        });
    }

    private static void disk(ObjectNode json, PhaseResult phase) {
        Map<String, DiskUse> most = new TreeMap<>();
        phase.samples()
                .forEach(sample -> most.merge(
                        sample.node(),
                        sample.disk(),
                        (a, b) -> new DiskUse(
                                Math.max(a.journal(), b.journal()),
                                Math.max(a.transactionLog(), b.transactionLog()),
                                Math.max(a.commitLog(), b.commitLog()))));
        most.forEach((node, use) -> {
            ObjectNode each = json.putObject(node);
            each.put("journal", use.journal());
            each.put("transaction_log", use.transactionLog());
            each.put("commit_log", use.commitLog());
        });
    }
}
