/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meteorshower.checker.Outcome;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.console.Json;

/** What a run without power gave, for people and for programs. */
final class PowerReport {
    private PowerReport() {}

    static List<String> lines(PowerResult result) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "the power went %,d times in %.0f s, %,d times of all nodes at once, %,d times while they started;"
                        + " %,d pages that were not forced were forgotten; what stops Cassandra was mended as an operator"
                        + " must: %,d segments of the commit log and files of hints without a header, %,d compactions without an end",
                result.notes().cuts.size(),
                result.seconds(),
                result.ofAll(),
                result.early(),
                result.forgottenPages(),
                result.headless(),
                result.uncommitted()));
        lines.add(String.format(
                Locale.ROOT,
                "%,d rows acknowledged, %,d lost%s",
                result.acknowledged(),
                result.notes().lost.size(),
                result.notes().lost.isEmpty()
                        ? ""
                        : "; the oldest " + result.notes().oldestLostMillis + " ms before the power went"));
        lines.add(String.format(
                Locale.ROOT,
                "%,d operations of sessions: %s",
                result.operations(),
                result.verdict().outcome() == Outcome.CONSISTENT
                        ? "sequentially consistent"
                        : result.verdict().outcome() + ", " + result.verdict().reason()));
        if (result.transactions() != null) {
            lines.add(String.format(Locale.ROOT, "%,d transactions committed", result.committed()));
            result.transactions().findings().forEach(line -> lines.add("WRONG " + line));
        }
        result.notes().wrong.forEach(line -> lines.add("WRONG " + line));
        lines.add("verdict: " + verdict(result));
        return lines;
    }

    private static String verdict(PowerResult result) {
        if (!result.options().disks().liars().isEmpty()) {
            return result.isRight()
                    ? "disks that lie were seen to lose what was acknowledged, as they must"
                    : "NOTHING WAS LOST by disks that lie: this run proves nothing";
        } else if (!result.isRight()) {
            return "VIOLATION";
        } else if (result.options().sync() == CommitLog.PERIODIC) {
            return "what was lost was acknowledged after the commit log had been forced for the last time";
        }
        return "nothing that was acknowledged is lost";
    }

    static ObjectNode json(PowerResult result) {
        ObjectNode json = Json.object();
        json.put("seed", result.options().seed());
        json.put("sync", result.options().sync().word());
        json.put("strict_disks", result.options().disks().strict());
        json.put("lying", String.join(",", result.options().disks().liars()));
        Json.number(json, "seconds", result.seconds());
        json.put("cuts", result.notes().cuts.size());
        json.put("cuts_of_all", result.ofAll());
        json.put("cuts_while_starting", result.early());
        json.put("pages_forgotten", result.forgottenPages());
        json.put("headless_segments", result.headless());
        json.put("uncommitted_compactions", result.uncommitted());
        json.put("acknowledged", result.acknowledged());
        json.put("lost", result.notes().lost.size());
        json.put("oldest_lost_ms", result.notes().oldestLostMillis);
        json.put("operations", result.operations());
        json.put("outcome", result.verdict().outcome().name().toLowerCase(Locale.ROOT));
        json.put("committed", result.committed());
        json.put("right", result.isRight());
        result.notes().wrong.forEach(json.putArray("wrong")::add);
        return json;
    }
}
