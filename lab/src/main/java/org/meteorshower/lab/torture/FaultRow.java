/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.torture.StockRequest.Answer;
import org.meteorshower.lab.torture.StockRequest.Subject;

/**
 * What one fault did to stock clients. Immutable.
 *
 * @param span the fault; null: the time without one
 * @param requests how many ended while it went on
 * @param answers of these, by what came of them; without the errors that are Cassandra's own
 * @param errors by type, without Cassandra's own
 * @param reasons what coordinators said of these
 * @param cassandras errors that plain Cassandra would give as well for this fault, by type
 * @param slowest for whose answer or error somebody waited longest, the longest first, Cassandra's own left out
 * @param unservedMillis how long the sequential table was not served as such, in the data centre where it was so for
 *     longest
 * @param reads of the sequential table, by who served them, where the client was told
 * @param newReads the same of the table that is, or was last, enabled while it was used
 * @param ordinary what it did to those who use an ordinary table; none of the above is about them
 * @param notes what the run did meanwhile as an operator
 */
record FaultRow(
        @Nullable FaultSpan span,
        int requests,
        Map<Answer, Integer> answers,
        Map<String, Integer> errors,
        Map<String, Integer> reasons,
        Map<String, Integer> cassandras,
        List<StockRequest> slowest,
        double unservedMillis,
        Map<Answer, Integer> reads,
        Map<Answer, Integer> newReads,
        OrdinaryFigures ordinary,
        List<OperatorNotes.Note> notes) {

    /** A failure so long after the end of a fault is still the fault's. */
    static final long AFTERMATH_NANOS = 5_000_000_000L;

    private static final int SLOWEST = 5;

    /** The longest that anybody waited; 0 where nobody asked. */
    double longestMillis() {
        return slowest.isEmpty() ? 0 : slowest.get(0).millis();
    }

    int count(Answer answer) {
        return answers.getOrDefault(answer, 0);
    }

    int cassandrasOwn() {
        return cassandras.values().stream().mapToInt(Integer::intValue).sum();
    }

    long noted(OperatorNotes.Kind kind) {
        return notes.stream().filter(note -> note.kind() == kind).count();
    }

    /** A row for each fault in the order in which they struck, and one for the time between them. */
    static List<FaultRow> of(List<FaultSpan> spans, List<StockRequest> requests, List<OperatorNotes.Note> notes) {
        List<List<StockRequest>> bySpan = new ArrayList<>();
        for (int i = 0; i <= spans.size(); i++) {
            bySpan.add(new ArrayList<>());
        }
        for (StockRequest request : requests) {
            bySpan.get(spanOf(spans, request)).add(request);
        }
        List<FaultRow> rows = new ArrayList<>();
        for (int i = 0; i <= spans.size(); i++) {
            FaultSpan span = i < spans.size() ? spans.get(i) : null;
            int place = i;
            rows.add(of(
                    span,
                    bySpan.get(i),
                    notes.stream()
                            .filter(note -> within(spans, note.nanos()) == place)
                            .toList()));
        }
        return rows;
    }

    /** The number of the fault that a request met, or whose aftermath it failed in; how many there are where none. */
    private static int spanOf(List<FaultSpan> spans, StockRequest request) {
        for (int i = spans.size() - 1; i >= 0; i--) {
            FaultSpan span = spans.get(i);
            long end = span.endNanos() + (request.answer().isFailure() ? AFTERMATH_NANOS : 0);
            if (request.endNanos() >= span.startNanos() && request.startNanos() <= end) {
                return i;
            }
        }
        return spans.size();
    }

    private static int within(List<FaultSpan> spans, long nanos) {
        for (int i = spans.size() - 1; i >= 0; i--) {
            if (nanos >= spans.get(i).startNanos() && nanos <= spans.get(i).endNanos()) {
                return i;
            }
        }
        return spans.size();
    }

    private static FaultRow of(@Nullable FaultSpan span, List<StockRequest> requests, List<OperatorNotes.Note> notes) {
        Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
        Map<Answer, Integer> reads = new EnumMap<>(Answer.class);
        Map<Answer, Integer> newReads = new EnumMap<>(Answer.class);
        Map<String, Integer> errors = new TreeMap<>();
        Map<String, Integer> reasons = new TreeMap<>();
        Map<String, Integer> cassandras = new TreeMap<>();
        List<StockRequest> ours = new ArrayList<>();
        List<StockRequest> ordinary = new ArrayList<>();
        for (StockRequest request : requests) {
            if (request.about() == Subject.ORDINARY) {
                ordinary.add(request);
                continue;
            }
            boolean failed = request.answer().isFailure();
            if (failed && span != null && PlainToo.would(request, span)) {
                cassandras.merge(request.error(), 1, Integer::sum);
                continue;
            }
            ours.add(request);
            answers.merge(request.answer(), 1, Integer::sum);
            if (failed) {
                errors.merge(request.error(), 1, Integer::sum);
                reasons.merge(reasonOf(request), 1, Integer::sum);
            } else if (request.isRead() && request.answer() != Answer.UNTOLD) {
                (request.about() == Subject.SEQUENTIAL ? reads : newReads).merge(request.answer(), 1, Integer::sum);
            }
        }
        return new FaultRow(
                span,
                requests.size() - ordinary.size(),
                answers,
                errors,
                reasons,
                cassandras,
                slowest(ours),
                unservedMillis(ours),
                reads,
                newReads,
                OrdinaryFigures.of(span, ordinary),
                notes);
    }

    private static String reasonOf(StockRequest failed) {
        return (failed.isRead() ? "read at " : "write at ")
                + failed.dc()
                + ": "
                + (failed.reason().isEmpty() ? failed.error() + ", which is Cassandra's own" : failed.reason());
    }

    private static List<StockRequest> slowest(List<StockRequest> requests) {
        return requests.stream()
                .sorted(Comparator.comparingDouble(StockRequest::millis).reversed())
                .limit(SLOWEST)
                .toList();
    }

    /** The sum of the stretches from the first request that was not served as it should be to the next one that was. */
    private static double unservedMillis(List<StockRequest> requests) {
        Stream<String> dcs = requests.stream().map(StockRequest::dc).distinct();
        return dcs.mapToDouble(dc -> unservedMillis(requests, dc)).max().orElse(0);
    }

    private static double unservedMillis(List<StockRequest> requests, String dc) {
        List<StockRequest> asked = requests.stream()
                .filter(request ->
                        request.about() == Subject.SEQUENTIAL && request.dc().equals(dc))
                .sorted(Comparator.comparingLong(StockRequest::startNanos))
                .toList();
        long unserved = 0;
        long since = 0;
        boolean served = true;
        long last = 0;
        for (StockRequest request : asked) {
            if (request.answer().isServed()) {
                if (!served) {
                    unserved += Math.max(0, request.endNanos() - since);
                }
                served = true;
            } else if (served && request.answer() != Answer.UNTOLD) {
                served = false;
                since = request.startNanos();
            }
            last = Math.max(last, request.endNanos());
        }
        return (unserved + (served ? 0 : Math.max(0, last - since))) / 1e6;
    }
}
