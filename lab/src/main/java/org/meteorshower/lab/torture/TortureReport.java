/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;

/**
 * What a run gave. The functions write what the reports of both kinds have alike.
 *
 * @param isRight whether nothing is to be said against it
 * @param lines for people: the timeline as text, and the verdict
 * @param json for programs
 */
record TortureReport(boolean isRight, List<String> lines, ObjectNode json) {
    /** What such lines begin with: what each fault did, and how many there were. */
    static List<String> head(TortureFigures figures) {
        List<String> lines = new ArrayList<>();
        if (!figures.effects().isEmpty()) {
            lines.addAll(effects(figures.effects()));
        }
        lines.add("");
        lines.add("faults: "
                + figures.countByKind().entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey().word())
                        .collect(Collectors.joining(", ")));
        return lines;
    }

    private static List<String> effects(List<Effect> effects) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("What each fault did to those whom it should not concern (ms; before it, and meanwhile):");
        lines.add(String.format(
                Locale.ROOT,
                "%7s %7s  %-26s %17s %17s %8s %7s",
                "from s",
                "for s",
                "fault",
                "reads p99",
                "writes p99",
                "longest",
                "failed"));
        for (Effect effect : effects) {
            FaultSpan span = effect.span();
            lines.add(String.format(
                    Locale.ROOT,
                    "%7.1f %7.1f  %-26s %8s %8s %8s %8s %8s %7d",
                    span.startNanos() / 1e9,
                    (span.endNanos() - span.startNanos()) / 1e9,
                    span.title(),
                    Numbers.of(effect.readsBefore().at(99)),
                    Numbers.of(effect.readsMeanwhile().at(99)),
                    Numbers.of(effect.writesBefore().at(99)),
                    Numbers.of(effect.writesMeanwhile().at(99)),
                    Numbers.of(effect.longestMillis()),
                    effect.failed()));
        }
        return lines;
    }

    /** What such JSON ends with. */
    static void addFigures(ObjectNode json, long seed, TortureFigures figures) {
        json.put("seconds", figures.seconds());
        json.put("seed", seed);
        Json.number(json, "longest_wait_elsewhere_ms", figures.longestElsewhereMillis());
        ObjectNode faults = json.putObject("faults");
        figures.countByKind().forEach((kind, count) -> faults.put(kind.word(), count));
        ObjectNode failures = json.putObject("failed");
        figures.failures().forEach(failures::put);
        ArrayNode effects = json.putArray("timeline");
        figures.effects().forEach(effect -> add(effects.addObject(), effect));
    }

    private static void add(ObjectNode json, Effect effect) {
        FaultSpan span = effect.span();
        json.put("fault", span.fault().kind().word());
        json.put("dc", span.fault().dc());
        Json.number(json, "from_seconds", span.startNanos() / 1e9);
        Json.number(json, "undone_seconds", span.undoneNanos() / 1e9);
        Json.number(json, "until_seconds", span.endNanos() / 1e9);
        for (Map.Entry<String, Distribution> each : List.of(
                Map.entry("read_before", effect.readsBefore()),
                Map.entry("read", effect.readsMeanwhile()),
                Map.entry("write_before", effect.writesBefore()),
                Map.entry("write", effect.writesMeanwhile()))) {
            ObjectNode node = json.putObject(each.getKey());
            node.put("count", each.getValue().count());
            Json.number(node, "p50_ms", each.getValue().at(50));
            Json.number(node, "p99_ms", each.getValue().at(99));
        }
        Json.number(json, "longest_ms", effect.longestMillis());
        json.put("failed", effect.failed());
    }
}
