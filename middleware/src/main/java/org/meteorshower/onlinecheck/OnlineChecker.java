/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * Checks what one node answers, from what that node sees: stamps, acknowledgements, answers. It says that something is
 * wrong only where nothing that it has not seen could make it right (docs/decisions/proof-and-lab.md, "The online
 * checker"); where it cannot tell it says so. Deterministic; used by one thread at a time. Memory is bounded by
 * {@link CheckLimits}.
 */
public final class OnlineChecker {
    private static final int MOST_VIOLATIONS = 32;
    private static final int MOST_TABLES = 1_000;

    private record Waiting(PartitionWindow window, Answer answer, long sinceNanos) {}

    private record Kept(PartitionWindow window, TrackedMutation mutation, long sinceNanos) {}

    private final CheckLimits limits;
    private final Function<Update, WrittenCells> cellsOf;
    private final LinkedHashMap<PartitionKey, PartitionWindow> windows = new LinkedHashMap<>(16, 0.75f, true);
    private final ArrayDeque<Waiting> answers = new ArrayDeque<>();
    private final ArrayDeque<Kept> mutations = new ArrayDeque<>();
    private final Map<UUID, Long> unseenByTable = new HashMap<>();
    private final ArrayDeque<Violation> violations = new ArrayDeque<>();
    private long unseenUpToMicros;
    private long judged;
    private long undecided;
    private long unknown;
    private long overflowed;
    private long found;

    /**
     * @param cellsOf what an update writes
     * @param unseenUpToMicros mutations with timestamps up to this may have been stamped before the checker began
     */
    public OnlineChecker(CheckLimits limits, Function<Update, WrittenCells> cellsOf, long unseenUpToMicros) {
        this.limits = limits;
        this.cellsOf = cellsOf;
        this.unseenUpToMicros = unseenUpToMicros;
    }

    /** Takes in what was seen, in order, and judges what has become due. */
    public void saw(Observation observation, long nowNanos) {
        if (observation instanceof Observation.Stamped stamped) {
            stamped(stamped, nowNanos);
        } else if (observation instanceof Observation.Acknowledged acknowledged) {
            PartitionWindow window = windows.get(acknowledged.key());
            if (window != null) {
                window.acknowledged(acknowledged.timestampMicros(), acknowledged.tokenMicros());
            }
        } else if (observation instanceof Observation.Answered answered) {
            answered(answered.answer(), nowNanos);
        } else if (observation instanceof Observation.Broken broken) {
            report(broken.violation());
        } else if (observation instanceof Observation.Unseen unseen) {
            unseen(unseen);
        }
        advance(nowNanos);
    }

    /** Judges what has become due. */
    public void advance(long nowNanos) {
        while (!answers.isEmpty() && nowNanos - answers.peekFirst().sinceNanos >= limits.patienceNanos()) {
            judge(answers.removeFirst());
        }
        while (!mutations.isEmpty() && nowNanos - mutations.peekFirst().sinceNanos >= 2 * limits.patienceNanos()) {
            fold(mutations.removeFirst());
        }
    }

    /** Judges all that waits, as if its time had come: nothing more will be seen. */
    public void finish() {
        while (!answers.isEmpty()) {
            judge(answers.removeFirst());
        }
        while (!mutations.isEmpty()) {
            fold(mutations.removeFirst());
        }
    }

    public CheckFigures figures() {
        return new CheckFigures(judged, undecided, unknown, overflowed, found);
    }

    /** What it holds, about, in bytes. */
    public long heldBytes() {
        return (long) CheckLimits.BYTES_EACH * (answers.size() + mutations.size())
                + (long) CheckLimits.PARTITION_BYTES * windows.size();
    }

    /** The last few, oldest first. */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Those that were found since they were last taken, the last few of them, oldest first. */
    public List<Violation> takeViolations() {
        List<Violation> taken = violations();
        violations.clear();
        return taken;
    }

    private void stamped(Observation.Stamped stamped, long nowNanos) {
        if (stamped.appliedMicros() < stamped.id().timestampMicros()) {
            report(new Violation(
                    Violation.Kind.STAMPED_BELOW_TIMESTAMP,
                    stamped.key(),
                    stamped.replica() + " stamped a mutation with timestamp "
                            + stamped.id().timestampMicros() + " at " + stamped.appliedMicros()));
        }
        PartitionWindow window = windowOf(stamped.key());
        if (!window.belongsTo(stamped.group())) {
            windows.remove(stamped.key());
            drop(window);
            window = windowOf(stamped.key());
            window.belongsTo(stamped.group());
        }
        TrackedMutation mutation = window.find(stamped.id());
        if (mutation == null) {
            mutation = window.track(stamped.id(), stamped.group());
            mutations.addLast(new Kept(window, mutation, nowNanos));
            if (mutations.size() > limits.maxMutations()) {
                fold(mutations.removeFirst());
            }
        }
        mutation.stamped(stamped.replica(), stamped.appliedMicros());
        Update update = stamped.update();
        if (update != null && mutation.written == null) {
            window.written(mutation, cellsOf.apply(update));
        }
    }

    private PartitionWindow windowOf(PartitionKey key) {
        PartitionWindow window = windows.get(key);
        if (window == null) {
            window = new PartitionWindow(
                    key,
                    Math.max(unseenUpToMicros, unseenByTable.getOrDefault(key.table(), Long.MIN_VALUE)),
                    limits.maxCells());
            windows.put(key, window);
            if (windows.size() > limits.maxPartitions()) {
                dropEldest();
            }
        }
        return window;
    }

    private void dropEldest() {
        Iterator<PartitionWindow> eldestFirst = windows.values().iterator();
        PartitionWindow eldest = eldestFirst.next();
        eldestFirst.remove();
        drop(eldest);
    }

    /** A window that is made anew for its key must not take repeated stamps for first ones. */
    private void drop(PartitionWindow window) {
        window.dropped = true;
        unseenUpToMicros = Math.max(unseenUpToMicros, window.newestMicros());
    }

    private void answered(Answer answer, long nowNanos) {
        if (answer.cutMicros() < answer.tokenMicros()) {
            report(new Violation(
                    Violation.Kind.BELOW_TOKEN,
                    answer.key(),
                    "a read with token " + answer.tokenMicros() + " was answered at cut " + answer.cutMicros()));
        }
        PartitionWindow window = windowOf(answer.key());
        answer.cells().forEach((cell, version) -> shown(window, answer, cell, version));
        answers.addLast(new Waiting(window, answer, nowNanos));
        if (answers.size() > limits.maxAnswers()) {
            answers.removeFirst();
            overflowed++;
        }
    }

    private void shown(PartitionWindow window, Answer answer, CellName cell, Version version) {
        Shown before = window.shown(cell);
        if (before != null && before.contradicts(version, answer.cutMicros())) {
            report(new Violation(
                    Violation.Kind.WENT_BACK,
                    answer.key(),
                    "a read at cut " + answer.cutMicros() + " shows " + cell + " = " + version + ", others at cuts "
                            + before.firstMicros() + " to " + before.lastMicros() + " showed " + before.version()));
        }
        window.show(
                cell,
                before == null
                        ? new Shown(version, answer.cutMicros(), answer.cutMicros())
                        : before.with(version, answer.cutMicros()));
    }

    private void unseen(Observation.Unseen unseen) {
        UUID table = unseen.table();
        if (table == null || unseenByTable.size() >= MOST_TABLES) {
            unseenUpToMicros = Math.max(unseenUpToMicros, unseen.upToMicros());
        } else {
            unseenByTable.merge(table, unseen.upToMicros(), Math::max);
        }
        for (PartitionWindow window : windows.values()) {
            if (table == null || window.key.table().equals(table)) {
                window.unseen(unseen.upToMicros());
            }
        }
    }

    private void judge(Waiting waiting) {
        if (waiting.window.dropped) {
            overflowed++;
            return;
        }
        AnswerJudge judge = new AnswerJudge(waiting.window, waiting.answer);
        switch (judge.judge()) {
            case RIGHT -> judged++;
            case UNDECIDED -> undecided++;
            case UNKNOWN -> unknown++;
            case WRONG -> {
                judged++;
                Violation violation = judge.violation();
                if (violation != null) {
                    report(violation);
                }
            }
        }
    }

    private void fold(Kept kept) {
        TrackedMutation mutation = kept.mutation;
        if (kept.window.dropped) {
            return;
        }
        long token = mutation.tokenMicros;
        if (token != Long.MAX_VALUE && kept.window.isHiddenAt(mutation, token)) {
            report(new Violation(
                    Violation.Kind.ACKNOWLEDGED_TOO_EARLY,
                    kept.window.key,
                    "a write was acknowledged and is not visible at its token: " + mutation));
        }
        kept.window.fold(mutation);
    }

    private void report(Violation violation) {
        found++;
        violations.addLast(violation);
        if (violations.size() > MOST_VIOLATIONS) {
            violations.removeFirst();
        }
    }
}
