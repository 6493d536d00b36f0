/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.lab.console.Json;

/** What a run of reads and writes gave, for people and for programs. */
final class ReadTortureReport {
    private ReadTortureReport() {}

    static TortureReport of(ReadTortureResult result) {
        return new TortureReport(result.isRight(), lines(result), json(result));
    }

    private static List<String> lines(ReadTortureResult result) {
        List<String> lines = TortureReport.head(result.figures());
        lines.add("failed operations: "
                + (result.figures().failures().isEmpty()
                        ? "none"
                        : result.figures().failures()));
        result.lost().forEach(line -> lines.add("LOST " + line));
        lines.add(
                result.lost().isEmpty()
                        ? "no acknowledged write is lost"
                        : result.lost().size() + " are lost");
        Watch watch = result.watch();
        if (watch != null) {
            lines.addAll(watch.lines());
        }
        lines.add(CheckReport.of(result.history(), result.verdict(), result.checkNanos()));
        return lines;
    }

    private static ObjectNode json(ReadTortureResult result) {
        ObjectNode json = Json.object();
        json.put("ops", result.history().size());
        json.put("violations", result.violations());
        json.put("outcome", result.verdict().outcome().name().toLowerCase(Locale.ROOT));
        Watch watch = result.watch();
        json.put(
                "lost", result.lost().size() + (watch == null ? 0 : watch.lost().size()));
        if (watch != null) {
            watch.addTo(json);
        }
        TortureReport.addFigures(json, result.options().shared().seed(), result.figures());
        return json;
    }
}
