/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** What a run with transactions gave, for people and for programs. */
final class TransactionTortureReport {
    private TransactionTortureReport() {}

    /** The timeline as text, and the verdict. */
    static List<String> lines(TransactionTortureResult result) {
        List<String> lines = new ArrayList<>(TortureReport.effects(result.effects()));
        lines.add("");
        lines.add("faults: " + TortureReport.counts(result.countByKind()));
        lines.add(String.format(
                Locale.ROOT,
                "%,d transactions committed, %,d certainly did not happen, of %,d it is unknown; %,d snapshots",
                result.count(TransactionOutcome.Status.COMMIT),
                result.count(TransactionOutcome.Status.ABORT),
                result.count(TransactionOutcome.Status.UNKNOWN),
                result.snapshots()));
        result.failures().forEach((kind, count) -> lines.add(String.format(Locale.ROOT, "%8d  %s", count, kind)));
        result.wrong().forEach(line -> lines.add("WRONG " + line));
        result.verdict().findings().forEach(line -> lines.add("WRONG " + line));
        lines.add(
                result.isRight()
                        ? String.format(
                                Locale.ROOT,
                                "verdict: strictly serializable, snapshots serializable, sessions in order, no money and no"
                                        + " acknowledged transaction lost, all data centres in one state (checked in %.1f s)",
                                result.verdict().seconds())
                        : "verdict: VIOLATION");
        return lines;
    }

    static ObjectNode json(TransactionTortureResult result) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("committed", result.count(TransactionOutcome.Status.COMMIT));
        json.put("aborted", result.count(TransactionOutcome.Status.ABORT));
        json.put("unknown", result.count(TransactionOutcome.Status.UNKNOWN));
        json.put("snapshots", result.snapshots());
        json.put(
                "violations",
                result.wrong().size() + result.verdict().findings().size());
        ArrayNode wrong = json.putArray("wrong");
        result.wrong().forEach(wrong::add);
        result.verdict().findings().forEach(wrong::add);
        json.put("seconds", result.seconds());
        json.put("seed", result.options().seed());
        TortureReport.number(json, "longest_wait_elsewhere_ms", result.longestElsewhereMillis());
        ObjectNode faults = json.putObject("faults");
        result.countByKind().forEach((kind, count) -> faults.put(kind.word(), count));
        ObjectNode failures = json.putObject("failed");
        result.failures().forEach(failures::put);
        ArrayNode effects = json.putArray("timeline");
        result.effects().forEach(effect -> effects.add(TortureReport.effect(effect)));
        return json;
    }
}
