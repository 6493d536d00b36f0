/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** What simulations gave, for programs. */
final class Reports {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Reports() {}

    /** @throws UncheckedIOException if the file cannot be written */
    static void write(ObjectNode json, Path file) {
        try {
            MAPPER.writeValue(file.toFile(), json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static ObjectNode sweep(Tally.Counts counts, int threads, boolean complete) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("seeds", counts.seeds());
        json.put("ops", counts.operations());
        json.put("violations", counts.violations());
        json.put("stalls", counts.stalls());
        json.put("undecided", counts.undecided());
        json.put("ops_per_second", Math.round(counts.operationsPerSecond()));
        json.put("ops_per_cpu_second", Math.round(counts.operationsPerCpuSecond()));
        json.put("seconds", Math.round(counts.seconds() * 1_000) / 1_000.0);
        json.put("threads", threads);
        json.put("complete", complete);
        ObjectNode kinds = json.putObject("kinds");
        counts.perKind().forEach((kind, seeds) -> kinds.put(kind.word(), seeds));
        ArrayNode failures = json.putArray("failures");
        for (Tally.Failure failure : counts.failures()) {
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
        ObjectNode json = JsonNodeFactory.instance.objectNode();
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
