/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares one answer with what is known of its partition: content(t, k) is a function of the stamps alone
 * (docs/ARCHITECTURE.md, "Reads at a cut"), so the stamps that this node has heard of bound what the answer may hold,
 * from below and from above.
 */
final class AnswerJudge {
    /** What can be said of an answer. */
    enum Outcome {
        /** Each of its cells whose writes are known holds the latest one visible at the cut; there is at least one. */
        RIGHT,
        /** Of some write it is not known yet whether the cut shows it. */
        UNDECIDED,
        /** Nothing is known of its cells: they were written before they were watched. */
        UNKNOWN,
        WRONG
    }

    private final PartitionWindow window;
    private final Answer answer;
    private final List<TrackedMutation> mutations;
    private @Nullable Violation violation;

    AnswerJudge(PartitionWindow window, Answer answer) {
        this.window = window;
        this.answer = answer;
        long newestMicros = answer.cutMicros(); // later ones are invisible, as no stamp is below its timestamp
        for (Version version : answer.cells().values()) {
            newestMicros = Math.max(newestMicros, version.timestampMicros());
        }
        this.mutations = window.mutationsUpTo(newestMicros);
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    Outcome judge() {
        boolean undecided = false;
        boolean right = false;
        for (TrackedMutation mutation : mutations) {
            undecided |= mutation.written == null && !isInvisible(mutation);
        }
        for (Map.Entry<CellName, List<TrackedMutation>> cell : writersByCell().entrySet()) {
            Outcome outcome = judge(cell.getKey(), cell.getValue());
            if (outcome == Outcome.WRONG) {
                return outcome;
            }
            undecided |= outcome == Outcome.UNDECIDED;
            right |= outcome == Outcome.RIGHT;
        }
        return undecided ? Outcome.UNDECIDED : right ? Outcome.RIGHT : Outcome.UNKNOWN;
    }

    /** The cells of which the answer tells something, and which of the mutations wrote each, the earliest first. */
    private Map<CellName, List<TrackedMutation>> writersByCell() {
        Map<CellName, List<TrackedMutation>> writers = new HashMap<>();
        for (CellName cell : answer.cells().keySet()) {
            writers.put(cell, List.of());
        }
        for (TrackedMutation mutation : mutations) {
            if (mutation.written != null) {
                for (CellName cell : mutation.written.cells().keySet()) {
                    List<TrackedMutation> others = writers.get(cell);
                    if (others == null || others.isEmpty()) {
                        if (others == null && !answer.tellsAbsence(cell)) {
                            continue;
                        }
                        others = new ArrayList<>(4);
                        writers.put(cell, others);
                    }
                    others.add(mutation);
                }
            }
        }
        for (CellName cell : window.floors().keySet()) {
            if (!writers.containsKey(cell) && answer.tellsAbsence(cell)) {
                writers.put(cell, List.of());
            }
        }
        return writers;
    }

    /** No stamp is below its mutation's timestamp. */
    private boolean isInvisible(TrackedMutation mutation) {
        return mutation.id.timestampMicros() > answer.cutMicros() || isStampedLater(mutation);
    }

    private boolean isStampedLater(TrackedMutation mutation) {
        return window.knowsFirstStamps(mutation) && mutation.isInvisibleAt(answer.cutMicros());
    }

    private Outcome judge(CellName cell, List<TrackedMutation> writers) {
        Version shown = answer.cells().get(cell);
        PartitionWindow.Floor floor = window.floors().get(cell);
        Version visible = floor != null && floor.fromMicros() <= answer.cutMicros() ? floor.version() : null;
        TrackedMutation by = null;
        boolean undecided = false;
        boolean carried = false;
        boolean early = true;
        for (TrackedMutation mutation : writers) {
            Version version = mutation.versionOf(cell);
            if (version == null) {
                continue;
            }
            if (version.equals(shown)) {
                carried = true;
                early &= isStampedLater(mutation);
            }
            if (mutation.visibleFromMicros() <= answer.cutMicros()) {
                if (visible == null || version.timestampMicros() > visible.timestampMicros()) {
                    visible = version;
                    by = mutation;
                }
            } else if (!isInvisible(mutation)
                    && (shown == null || version.timestampMicros() >= shown.timestampMicros())) {
                undecided = true;
            }
        }
        if (visible != null && (shown == null || shown.timestampMicros() < visible.timestampMicros())) {
            return missing(cell, shown, visible, by, undecided);
        } else if (shown == null) {
            return undecided ? Outcome.UNDECIDED : Outcome.UNKNOWN;
        } else if (shown.equals(visible)) {
            return undecided ? Outcome.UNDECIDED : Outcome.RIGHT;
        } else if (carried && early && !(floor != null && shown.equals(floor.version()))) {
            return wrong(
                    Violation.Kind.SHOWN_TOO_EARLY,
                    "shows " + cell + " = " + shown + ", which is not visible yet: " + carriers(cell, shown));
        }
        return carried || undecided ? Outcome.UNDECIDED : Outcome.UNKNOWN;
    }

    private Outcome missing(
            CellName cell, @Nullable Version shown, Version visible, @Nullable TrackedMutation by, boolean undecided) {
        if (shown == null && !visible.live()) {
            return undecided ? Outcome.UNDECIDED : Outcome.RIGHT;
        } else if (shown == null && window.mayBeHidden(visible.timestampMicros())) {
            return Outcome.UNDECIDED;
        }
        return wrong(
                Violation.Kind.MISSING_WRITE,
                "shows " + cell + " = " + shown + " and not " + visible + ", which is visible: "
                        + (by == null ? window.floors().get(cell) : by));
    }

    private Outcome wrong(Violation.Kind kind, String what) {
        violation = new Violation(
                kind,
                answer.key(),
                "a read at cut " + answer.cutMicros() + " with token " + answer.tokenMicros() + " " + what);
        return Outcome.WRONG;
    }

    private String carriers(CellName cell, Version shown) {
        return String.join(
                "; ",
                mutations.stream()
                        .filter(mutation -> mutation.carries(cell, shown))
                        .map(TrackedMutation::toString)
                        .toList());
    }
}
