/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.console.Numbers;

/** What a run gave, for people and for programs. */
public final class TortureReport {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private TortureReport() {}

    /** The timeline as text, and the verdict. */
    static List<String> lines(TortureResult result) {
        List<String> lines = new ArrayList<>(effects(result.effects()));
        lines.add("");
        lines.add("faults: " + counts(result.countByKind()));
        lines.add("failed operations: " + (result.failures().isEmpty() ? "none" : result.failures()));
        result.lost().forEach(line -> lines.add("LOST " + line));
        lines.add(
                result.lost().isEmpty()
                        ? "no acknowledged write is lost"
                        : result.lost().size() + " are lost");
        lines.add(CheckReport.of(result.history(), result.verdict(), result.checkNanos()));
        return lines;
    }

    static String counts(Map<FaultKind, Integer> byKind) {
        return byKind.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey().word())
                .collect(Collectors.joining(", "));
    }

    /** The timeline as text. */
    static List<String> effects(List<Effect> effects) {
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

    /** Throws {@link ClusterException} if it cannot be written. */
    static void write(TortureResult result, Path file) {
        write(json(result), file);
    }

    /** Throws {@link ClusterException} if it cannot be written. */
    public static void write(ObjectNode json, Path file) {
        try {
            MAPPER.writeValue(file.toFile(), json);
        } catch (IOException e) {
            throw new ClusterException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static ObjectNode json(TortureResult result) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("ops", result.history().size());
        json.put("violations", result.violations());
        json.put("outcome", result.verdict().outcome().name().toLowerCase(Locale.ROOT));
        json.put("lost", result.lost().size());
        json.put("seconds", result.seconds());
        json.put("seed", result.options().seed());
        number(json, "longest_wait_elsewhere_ms", result.longestElsewhereMillis());
        ObjectNode faults = json.putObject("faults");
        result.countByKind().forEach((kind, count) -> faults.put(kind.word(), count));
        ObjectNode failures = json.putObject("failed");
        result.failures().forEach(failures::put);
        ArrayNode effects = json.putArray("timeline");
        result.effects().forEach(effect -> effects.add(effect(effect)));
        return json;
    }

    static ObjectNode effect(Effect effect) {
        FaultSpan span = effect.span();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("fault", span.fault().kind().word());
        json.put("dc", span.fault().dc());
        number(json, "from_seconds", span.startNanos() / 1e9);
        number(json, "undone_seconds", span.undoneNanos() / 1e9);
        number(json, "until_seconds", span.endNanos() / 1e9);
        for (Map.Entry<String, Distribution> each : List.of(
                Map.entry("read_before", effect.readsBefore()),
                Map.entry("read", effect.readsMeanwhile()),
                Map.entry("write_before", effect.writesBefore()),
                Map.entry("write", effect.writesMeanwhile()))) {
            ObjectNode node = json.putObject(each.getKey());
            node.put("count", each.getValue().count());
            number(node, "p50_ms", each.getValue().at(50));
            number(node, "p99_ms", each.getValue().at(99));
        }
        number(json, "longest_ms", effect.longestMillis());
        json.put("failed", effect.failed());
        return json;
    }

    /** Rounded to what it means; null where it is unknown. */
    public static void number(ObjectNode json, String name, double value) {
        if (Double.isNaN(value)) {
            json.putNull(name);
        } else {
            json.put(name, Math.round(value * 1_000) / 1_000.0);
        }
    }
}
