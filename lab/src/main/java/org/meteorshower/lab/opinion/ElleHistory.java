/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.RecordedTransaction.Append;
import org.meteorshower.checker.transactions.RecordedTransaction.Read;
import org.meteorshower.checker.transactions.RecordedTransaction.Status;
import org.meteorshower.checker.transactions.RecordedTransaction.Step;

/**
 * Writes a history as Elle reads it: EDN, a line for each beginning and each end, in the order in which they were.
 *
 * <ul>
 *   <li>What began and what ended at one moment overlap, so beginnings come first.
 *   <li>Each transaction is a process of its own: the order of a session's transactions is no part of the property.
 *   <li>What nobody knows the end of ends as {@code :info}, after all others, and shows nothing of what it read.
 *   <li>A read of a transaction that was done, whose answer was not seen, is left out. To Elle it would be an empty
 *       list.
 * </ul>
 */
final class ElleHistory {
    private record Moment(long nanos, boolean isEnd, int transaction) {}

    private ElleHistory() {}

    /** Creates the file, or replaces it. */
    static void write(List<RecordedTransaction> history, Path file) throws IOException {
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            RecordedTransaction transaction = history.get(i);
            long start = transaction.startNanos();
            moments.add(new Moment(start, false, i));
            moments.add(
                    transaction.status() == Status.UNKNOWN
                            ? new Moment(Long.MAX_VALUE, true, i)
                            : new Moment(Math.max(start, transaction.endNanos()), true, i));
        }
        moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isEnd));
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            for (Moment moment : moments) {
                out.write(line(moment, history.get(moment.transaction())));
                out.newLine();
            }
        }
    }

    private static String line(Moment moment, RecordedTransaction transaction) {
        return "{:type " + (moment.isEnd() ? end(transaction.status()) : ":invoke") + ", :process "
                + moment.transaction() + ", :f :txn, :value " + value(transaction, moment.isEnd()) + "}";
    }

    private static String end(Status status) {
        return switch (status) {
            case OK -> ":ok";
            case FAIL -> ":fail";
            case UNKNOWN -> ":info";
        };
    }

    private static String value(RecordedTransaction transaction, boolean isEnd) {
        boolean isDone = transaction.status() == Status.OK;
        List<String> steps = new ArrayList<>();
        for (Step step : transaction.steps()) {
            if (step instanceof Append append) {
                steps.add("[:append " + text(append.list()) + " " + text(append.value()) + "]");
            } else if (step instanceof Read read && (!isDone || read.values() != null)) {
                steps.add("[:r " + text(read.list()) + " " + values(isEnd && isDone ? read.values() : null) + "]");
            }
        }
        return "[" + String.join(" ", steps) + "]";
    }

    private static String values(@Nullable List<String> values) {
        return values == null
                ? "nil"
                : "[" + String.join(" ", values.stream().map(ElleHistory::text).toList()) + "]";
    }

    private static String text(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
