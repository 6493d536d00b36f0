/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** What a run with transactions gave, for people and for programs. */
final class TransactionTortureReport {
    private TransactionTortureReport() {}

    static TortureReport of(TransactionTortureResult result) {
        return new TortureReport(result.isRight(), lines(result), json(result));
    }

    private static List<String> lines(TransactionTortureResult result) {
        List<String> lines = TortureReport.head(result.figures());
        lines.add(String.format(
                Locale.ROOT,
                "%,d transactions committed, %,d certainly did not happen, of %,d it is unknown; %,d snapshots",
                result.count(TransactionOutcome.Status.COMMIT),
                result.count(TransactionOutcome.Status.ABORT),
                result.count(TransactionOutcome.Status.UNKNOWN),
                result.snapshots()));
        result.figures()
                .failures()
                .forEach((kind, count) -> lines.add(String.format(Locale.ROOT, "%8d  %s", count, kind)));
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

    private static ObjectNode json(TransactionTortureResult result) {
        ObjectNode json = Json.object();
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
        TortureReport.addFigures(json, result.options().shared().seed(), result.figures());
        return json;
    }
}
