/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.torture.StockRequest.Answer;

/**
 * What each fault did to stock clients, for people and for programs. Immutable.
 *
 * @param rows one for each fault, and one for the time without
 * @param wentBack reads of sessions of a table that was being enabled which were older than one before; must be none
 * @param lost rows of stock clients whose acknowledged write is not found
 */
record Watch(List<FaultRow> rows, List<String> wentBack, List<String> lost) {
    private static final String FORMAT = "%7s %7s  %-22s %8s %8s %9s %9s %9s %9s %11s %15s  %s";

    private static final List<Answer> BY_WHOM = List.of(Answer.LOCAL, Answer.WAITED, Answer.FORWARDED, Answer.PLAIN);

    /** What is worth a word. */
    private static final double LONG_MILLIS = 500;

    private static final int MOST_REASONS = 10;

    /** Whether nothing is to be said against it. */
    boolean isRight() {
        return wentBack.isEmpty() && lost.isEmpty() && refused() == 0 && byHand() == 0;
    }

    long refused() {
        return sum(row -> row.count(Answer.REFUSED));
    }

    long byHand() {
        return sum(row -> row.noted(OperatorNotes.Kind.BY_HAND));
    }

    private long sum(ToLongFunction<FaultRow> figure) {
        return rows.stream().mapToLong(figure).sum();
    }

    private double longestMillis() {
        return rows.stream().mapToDouble(FaultRow::longestMillis).max().orElse(0);
    }

    private double longestOrdinaryMillis() {
        return rows.stream()
                .mapToDouble(row -> row.ordinary().longestMillis())
                .max()
                .orElse(0);
    }

    // For people.

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("What each fault did to stock clients (QUORUM, no token; longest waits in ms):");
        lines.add(String.format(
                Locale.ROOT,
                FORMAT,
                "from s",
                "for s",
                "fault",
                "requests",
                "refused",
                "timed out",
                "no answer",
                "plain too",
                "longest",
                "unserved ms",
                "ordinary table",
                "reads: local/waited/forwarded/plain"));
        rows.forEach(row -> lines.add(line(row)));
        lines.add(PlainToo.why() + ".");
        lines.add("\"ordinary table\": failed requests, and the longest wait, of as many clients of a table that is not"
                + " enabled.");
        rows.forEach(row -> addDetails(row, lines));
        lines.add(String.format(
                Locale.ROOT,
                "stock clients: %d refused, %d timed out, %d statements by hand; the longest wait took %s ms",
                refused(),
                sum(row -> row.count(Answer.TIMED_OUT)),
                byHand(),
                Numbers.of(longestMillis())));
        lines.add(String.format(
                Locale.ROOT,
                "clients of an ordinary table beside them: %d refused, %d timed out; the longest wait took %s ms",
                sum(row -> row.ordinary().refused()),
                sum(row -> row.ordinary().timedOut()),
                Numbers.of(longestOrdinaryMillis())));
        wentBack.forEach(line -> lines.add("WENT BACK " + line));
        lost.forEach(line -> lines.add("LOST " + line));
        return lines;
    }

    private static String title(FaultRow row) {
        FaultSpan span = row.span();
        return span == null ? "between faults" : span.title();
    }

    private static String line(FaultRow row) {
        FaultSpan span = row.span();
        return String.format(
                Locale.ROOT,
                FORMAT,
                span == null ? "" : String.format(Locale.ROOT, "%.1f", span.startNanos() / 1e9),
                span == null ? "" : String.format(Locale.ROOT, "%.1f", (span.endNanos() - span.startNanos()) / 1e9),
                title(row),
                row.requests(),
                row.count(Answer.REFUSED),
                row.count(Answer.TIMED_OUT),
                row.count(Answer.UNREACHABLE),
                row.cassandrasOwn(),
                Numbers.of(row.longestMillis()),
                Numbers.of(row.unservedMillis()),
                row.ordinary().failed() + " / " + Numbers.of(row.ordinary().longestMillis()),
                reads(row.reads()));
    }

    private static String line(StockRequest request) {
        return String.format(
                Locale.ROOT,
                "%s at %s from %.1f s on, %s ms, %s",
                request.isRead() ? "read" : "write",
                request.dc(),
                request.startNanos() / 1e9,
                Numbers.of(request.millis()),
                request.answer().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    /** In the order of the heading. */
    private static String reads(Map<Answer, Integer> reads) {
        return BY_WHOM.stream()
                .map(answer -> Integer.toString(reads.getOrDefault(answer, 0)))
                .collect(Collectors.joining("/"));
    }

    private static void addDetails(FaultRow row, List<String> lines) {
        FaultSpan span = row.span();
        if (span != null && span.fault().kind() == FaultKind.ENABLE) {
            lines.add(title(row) + ", reads of that table: " + reads(row.newReads()));
        }
        if (!row.errors().isEmpty()) {
            lines.add(title(row) + ": " + row.errors());
        }
        row.reasons().entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MOST_REASONS)
                .forEach(each -> lines.add(title(row) + ", " + each.getValue() + " times, " + each.getKey()));
        List<String> slow = row.slowest().stream()
                .filter(request -> request.millis() > LONG_MILLIS)
                .map(Watch::line)
                .toList();
        if (!slow.isEmpty()) {
            lines.add(title(row) + ", slowest: " + String.join("; ", slow));
        }
        if (!row.cassandras().isEmpty()) {
            lines.add(title(row) + ", plain too: " + row.cassandras());
        }
        for (OperatorNotes.Note note : row.notes()) {
            lines.add(title(row) + ": "
                    + switch (note.kind()) {
                        case BY_HAND -> "BY HAND ";
                        case DEMANDED -> "asked for by Cassandra: ";
                        case SEEN -> "";
                    }
                    + note.text());
        }
    }

    // For programs.

    void addTo(ObjectNode json) {
        json.put("refused", refused());
        json.put("by_hand", byHand());
        Json.number(json, "longest_wait_ms", longestMillis());
        json.put("timed_out", sum(row -> row.count(Answer.TIMED_OUT)));
        json.put("unreachable", sum(row -> row.count(Answer.UNREACHABLE)));
        json.put("plain_cassandra_too", sum(FaultRow::cassandrasOwn));
        json.put("stock_requests", sum(FaultRow::requests));
        json.put("ordinary_requests", sum(row -> row.ordinary().requests()));
        json.put("ordinary_refused", sum(row -> row.ordinary().refused()));
        json.put("ordinary_timed_out", sum(row -> row.ordinary().timedOut()));
        Json.number(json, "ordinary_longest_wait_ms", longestOrdinaryMillis());
        ArrayNode each = json.putArray("by_fault");
        rows.forEach(row -> add(each.addObject(), row));
    }

    private static void add(ObjectNode json, FaultRow row) {
        FaultSpan span = row.span();
        json.put("fault", span == null ? "none" : span.fault().kind().word());
        if (span != null) {
            json.put("dc", span.fault().dc());
            Json.number(json, "from_seconds", span.startNanos() / 1e9);
            Json.number(json, "seconds", (span.endNanos() - span.startNanos()) / 1e9);
        }
        json.put("requests", row.requests());
        json.put("refused", row.count(Answer.REFUSED));
        json.put("timed_out", row.count(Answer.TIMED_OUT));
        json.put("unreachable", row.count(Answer.UNREACHABLE));
        put(json, "errors", row.errors());
        put(json, "reasons", row.reasons());
        json.put("plain_cassandra_too", row.cassandrasOwn());
        put(json, "plain_cassandra_errors", row.cassandras());
        Json.number(json, "longest_wait_ms", row.longestMillis());
        ArrayNode slowest = json.putArray("slowest");
        row.slowest().forEach(request -> slowest.add(line(request)));
        Json.number(json, "unserved_ms", row.unservedMillis());
        add(json.putObject("ordinary"), row.ordinary());
        put(json, "reads", byWhom(row.reads()));
        put(json, "reads_of_new_table", byWhom(row.newReads()));
        json.put("by_hand", row.noted(OperatorNotes.Kind.BY_HAND));
        for (OperatorNotes.Kind kind : OperatorNotes.Kind.values()) {
            ArrayNode texts = json.putArray(
                    switch (kind) {
                        case BY_HAND -> "by_hand_statements";
                        case DEMANDED -> "asked_by_cassandra";
                        case SEEN -> "seen";
                    });
            row.notes().stream().filter(note -> note.kind() == kind).forEach(note -> texts.add(note.text()));
        }
    }

    private static void add(ObjectNode json, OrdinaryFigures ordinary) {
        json.put("requests", ordinary.requests());
        json.put("refused", ordinary.refused());
        json.put("timed_out", ordinary.timedOut());
        json.put("unreachable", ordinary.unreachable());
        Json.number(json, "longest_wait_ms", ordinary.longestMillis());
    }

    private static Map<String, Integer> byWhom(Map<Answer, Integer> reads) {
        Map<String, Integer> named = new LinkedHashMap<>();
        BY_WHOM.forEach(answer -> named.put(answer.name().toLowerCase(Locale.ROOT), reads.getOrDefault(answer, 0)));
        return named;
    }

    private static void put(ObjectNode json, String name, Map<String, Integer> counts) {
        ObjectNode node = json.putObject(name);
        counts.forEach(node::put);
    }
}
