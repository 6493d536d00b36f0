/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;

/** The picture for programs, one line of JSON. What is not known is null; durations are in microseconds. */
final class TopJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TopJson() {}

    static String of(List<Sight> sights, Instant at) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("at", at.toString());
        ArrayNode nodes = root.putArray("nodes");
        sights.forEach(sight -> node(nodes.addObject(), sight));
        try {
            return MAPPER.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void node(ObjectNode json, Sight sight) {
        json.put("name", sight.target().name());
        json.put("data_centre", sight.target().dc());
        json.put("address", sight.target().place());
        Sight.Figures figures = sight.figures();
        json.put("tells", figures != null);
        json.put("error", sight.error());
        if (figures == null) {
            return;
        }
        Json.number(json, "reads_per_second", figures.reads());
        Json.number(json, "local_share", figures.localShare());
        Json.number(json, "waited_share", figures.waitedShare());
        Json.number(json, "forwarded_share", figures.forwardedShare());
        Json.number(json, "refused_per_second", figures.refused());
        Json.number(json, "writes_per_second", figures.writes());
        Json.number(json, "unknown_per_second", figures.unknown());
        figures.now().node().forEach(json::put);
        reads(json, figures);
        writes(json, figures);
        transactions(json, figures);
        memory(json, figures);
        peers(json, figures);
        ArrayNode troubles = json.putArray("troubles");
        figures.now().troubles().forEach(troubles::add);
    }

    private static void reads(ObjectNode json, Sight.Figures figures) {
        ArrayNode reads = json.putArray("reads");
        figures.now().reads().forEach((name, table) -> {
            ObjectNode row = reads.addObject();
            row.put("table", name.substring(0, name.indexOf(' ')));
            row.put("mode", name.substring(name.indexOf(' ') + 1));
            Json.number(row, "per_second", figures.readsByTable().getOrDefault(name, Double.NaN));
            row.put("local", table.local()).put("older", table.older()).put("waited", table.waited());
            row.put("pulled", table.pulled())
                    .put("forwarded", table.forwarded())
                    .put("refused", table.refused());
            put(row, "latency_p50_micros", table.latencyP50());
            put(row, "latency_p99_micros", table.latencyP99());
            put(row, "staleness_p50_micros", table.stalenessP50());
        });
    }

    private static void writes(ObjectNode json, Sight.Figures figures) {
        ArrayNode writes = json.putArray("writes");
        figures.now().writes().forEach((name, table) -> {
            ObjectNode row = writes.addObject();
            row.put("table", name);
            Json.number(row, "per_second", figures.writesByTable().getOrDefault(name, Double.NaN));
            row.put("acknowledged", table.acknowledged()).put("unknown", table.unknown());
            row.put("refused", table.refused()).put("failed", table.failed());
            put(row, "latency_p50_micros", table.latencyP50());
            put(row, "latency_p99_micros", table.latencyP99());
        });
    }

    private static void memory(ObjectNode json, Sight.Figures figures) {
        ObjectNode memory = json.putObject("memory");
        figures.now().memory().forEach((user, held) -> memory.putObject(user)
                .put("used_bytes", held.used())
                .put("limit_bytes", held.limit())
                .put("peak_bytes", held.peak())
                .put("times_full", held.timesFull()));
    }

    private static void peers(ObjectNode json, Sight.Figures figures) {
        ArrayNode peers = json.putArray("peers");
        figures.now().peers().forEach(peer -> {
            ObjectNode row = peers.addObject();
            row.put("address", peer.address()).put("state", peer.state()).put("stream", peer.stream());
            put(row, "lag_micros", peer.lagMicros());
            put(row, "skew_micros", peer.skewMicros());
        });
    }

    /**
     * Null where transactions are not configured; its process is null where another node of the data centre runs it.
     */
    private static void transactions(ObjectNode json, Sight.Figures figures) {
        TransactionsReading told = figures.now().transactions();
        if (told == null) {
            json.putNull("transactions");
            return;
        }
        ObjectNode transactions = json.putObject("transactions");
        TransactionsReading.Runner runner = told.runner();
        if (runner == null) {
            transactions.putNull("process");
        } else {
            ObjectNode runs = transactions.putObject("process");
            runs.put("whole", runner.whole()).put("waiting", runner.waiting());
            runs.put("executed", runner.executed()).put("persist_micros", runner.persistMicros());
        }
        ArrayNode kinds = transactions.putArray("kinds");
        told.kinds().forEach((kind, outcomes) -> {
            ObjectNode row = kinds.addObject();
            TransactionRates rates = figures.transactionsByKind().getOrDefault(kind, TransactionRates.NONE);
            row.put("kind", kind);
            Json.number(row, "committed_per_second", rates.committed());
            Json.number(row, "unknown_per_second", rates.unknown());
            row.put("committed", outcomes.committed()).put("aborted", outcomes.aborted());
            row.put("refused", outcomes.refused()).put("unknown", outcomes.unknown());
            put(row, "latency_p50_micros", outcomes.latencyP50());
            put(row, "latency_p99_micros", outcomes.latencyP99());
        });
    }

    private static void put(ObjectNode json, String name, @Nullable Long value) {
        if (value == null) {
            json.putNull(name);
        } else {
            json.put(name, value);
        }
    }
}
