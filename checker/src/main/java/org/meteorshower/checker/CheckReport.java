/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The text that an operator reads after a check. */
public final class CheckReport {
    private final History history;
    private final Map<Integer, Integer> labels = new HashMap<>();
    private final StringBuilder text = new StringBuilder();

    private CheckReport(History history) {
        this.history = history;
    }

    /**
     * The report of one check, several lines, ending in a line end.
     *
     * @param elapsedNanos how long the check took
     */
    public static String of(History history, Verdict verdict, long elapsedNanos) {
        CheckReport report = new CheckReport(history);
        report.head(verdict, elapsedNanos);
        @Nullable Counterexample counterexample = verdict.counterexample();
        if (counterexample != null) {
            report.operations(counterexample.operations());
            report.steps(counterexample.steps(), 1);
        }
        return report.text.toString();
    }

    /** One operation as one line: session, what it did, and where it stands. */
    public static String describe(History history, int op) {
        Operation o = history.get(op);
        String did = history.isDelete(op)
                ? "deleted " + o.key()
                : (history.isWrite(op) ? "wrote " : "read ") + o.key() + " = "
                        + (o.value() == null ? "no row" : o.value());
        String version = history.isWrite(op) && o.version() != Operation.NO_VERSION ? ", version " + o.version() : "";
        String status = o.status() == Operation.Status.OK
                ? ""
                : ", outcome " + o.status().word();
        return o.session() + " " + did + version + status + "  (" + history.where(op) + ")";
    }

    private void head(Verdict verdict, long elapsedNanos) {
        String name = verdict.model().name().toLowerCase(Locale.ROOT);
        text.append(String.format(Locale.ROOT, "%s: %s - %s%n", name, verdict.outcome(), verdict.reason()));
        int unknown = history.count(Operation.Type.WRITE, Operation.Status.UNKNOWN);
        int failed = history.count(Operation.Type.WRITE, Operation.Status.FAIL);
        int writes = history.count(Operation.Type.WRITE, Operation.Status.OK) + unknown + failed;
        text.append(String.format(
                Locale.ROOT,
                "  %,d operations (%,d reads, %,d writes of which %,d unknown and %,d failed), %,d sessions, %,d keys,"
                        + " checked in %.2f s%n",
                history.size(),
                history.size() - writes,
                writes,
                unknown,
                failed,
                history.sessionCount(),
                history.keyCount(),
                elapsedNanos / 1e9));
    }

    private void operations(List<Integer> operations) {
        for (int op : operations) {
            labels.put(op, labels.size() + 1);
            text.append(String.format(Locale.ROOT, "  [%d] %s%n", labels.get(op), describe(history, op)));
        }
    }

    private void steps(List<Counterexample.Step> steps, int depth) {
        for (Counterexample.Step step : steps) {
            text.append("  ".repeat(depth))
                    .append(String.format(
                            Locale.ROOT,
                            "%s before %s  %s: %s%n",
                            label(step.from()),
                            label(step.to()),
                            step.reason().words(),
                            why(step)));
            if (step.proof().size() > 1 || step.proof().stream().anyMatch(inner -> inner.via() >= 0)) {
                steps(step.proof(), depth + 2);
            }
        }
    }

    private String label(int op) {
        return "[" + labels.getOrDefault(op, 0) + "]";
    }

    private String why(Counterexample.Step step) {
        return switch (step.reason()) {
            case SESSION_ORDER -> "session " + history.get(step.from()).session() + " did it first";
            case READS_FROM ->
                history.isDelete(step.from())
                        ? "no other delete can be the one that the read saw"
                        : "the read saw this write";
            case VERSION_ORDER -> "version " + history.version(step.from()) + " is below " + history.version(step.to());
            case REAL_TIME ->
                "ended at " + history.end(step.from()) + " ns, before the other started at " + history.start(step.to())
                        + " ns";
            case FROM_READ ->
                step.via() < 0
                        ? "the read saw no row, as before any write"
                        : "the read still saw " + label(step.via()) + ", which comes before " + label(step.to())
                                + direct(step.proof());
            case OVERWRITTEN ->
                label(step.via()) + " saw " + label(step.to()) + " and comes after " + label(step.from())
                        + direct(step.proof());
        };
    }

    private static String direct(List<Counterexample.Step> proof) {
        return proof.isEmpty()
                ? ""
                : proof.size() == 1 ? ", by " + proof.get(0).reason().words() : ":";
    }
}
