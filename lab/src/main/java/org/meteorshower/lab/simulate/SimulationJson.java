/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.meteorshower.lab.console.Json;

/** What simulations gave, for programs. */
final class SimulationJson {
    private SimulationJson() {}

    static ObjectNode sweep(SweepTally.Counts counts, int threads, boolean complete) {
        ObjectNode json = Json.object();
        json.put("seeds", counts.seeds());
        json.put("ops", counts.operations());
        json.put("violations", counts.violations());
        json.put("stalls", counts.stalls());
        json.put("undecided", counts.undecided());
        json.put("ops_per_second", Math.round(counts.operationsPerSecond()));
        json.put("ops_per_cpu_second", Math.round(counts.operationsPerCpuSecond()));
        Json.number(json, "seconds", counts.seconds());
        json.put("threads", threads);
        json.put("complete", complete);
        ObjectNode kinds = json.putObject("kinds");
        counts.perKind().forEach((kind, seeds) -> kinds.put(kind.word(), seeds));
        ArrayNode failures = json.putArray("failures");
        for (SweepTally.Failure failure : counts.failures()) {
            failures.addObject()
                    .put("seed", failure.seed())
                    .put("kind", failure.kind().word())
                    .put("by", failure.foundBy())
                    .put("complaint", failure.complaint())
                    .put("command", failure.command());
        }
        return json;
    }

    /** @param of how many were to be hunted; with fewer findings it was interrupted */
    static ObjectNode mutants(List<MutantHunt.Finding> findings, int of, long seconds, int threads, boolean complete) {
        ObjectNode json = Json.object();
        json.put(
                "caught", findings.stream().filter(MutantHunt.Finding::isCaught).count());
        json.put("of", of);
        json.put("seconds", seconds);
        json.put("threads", threads);
        json.put("complete", complete);
        ObjectNode mutants = json.putObject("mutants");
        for (MutantHunt.Finding finding : findings) {
            mutants.putObject(finding.mutant().name())
                    .put("caught", finding.isCaught())
                    .put("seeds", finding.seeds())
                    .put("ops", finding.operations())
                    .put("by", finding.foundBy())
                    .put("kind", finding.mutant().kind().word())
                    .put("command", finding.command())
                    .put("complaint", finding.complaint());
        }
        return json;
    }
}
