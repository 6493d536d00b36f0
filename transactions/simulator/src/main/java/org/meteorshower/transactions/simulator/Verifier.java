/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Usage;
import org.meteorshower.transactions.simulator.tables.StoredTables;

/**
 * Sees everything, and judges it with code of its own: one sequence of entries everywhere, the same digest after each;
 * what a serial run of that sequence answers is what clients were told; nothing acknowledged is missing from it, and
 * nothing ran twice; and the sequence keeps real time.
 */
final class Verifier {
    /** An entry in its place, as the first data centre to execute it reported it. */
    record Step(int lane, long position, Entry entry, List<Outcome> outcomes, long digest) {}

    /**
     * What a client was told of a submission.
     *
     * @param at the place in the order that the token tells
     * @param sequence 0 for reads, which have no session
     */
    record Acknowledged(
            @Nullable SessionId session,
            long sequence,
            Outcome outcome,
            long at,
            long invokedMicros,
            long answeredMicros) {}

    /** A snapshot read's answer. */
    record SnapshotSeen(Transaction transaction, List<Value> values, long count, long atLeast) {}

    /** Clocks that are right differ by less. */
    private static final long MOST_EARLY_MILLIS = 60;

    private final List<Step> order = new ArrayList<>();
    private final Map<Integer, Long> next = new HashMap<>();

    /** By data centre, what it has decided and not in its tables, by its own last word. */
    private final Map<Integer, Long> lags = new HashMap<>();

    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final List<SnapshotSeen> snapshots = new ArrayList<>();
    private final List<ScannedRows> scans = new ArrayList<>();
    private final Map<RowKey, Row> before;
    private final Map<Integer, StoredTables> seenByUsers = new TreeMap<>();
    private final Map<Integer, StoredChanges> streams = new TreeMap<>();
    private long acknowledgedBelow;
    private @Nullable String broken;
    private @Nullable String audit;

    /** @param before what the rows held before any transaction */
    Verifier(Map<RowKey, Row> before) {
        this.before = before;
    }

    void begins(int dc, Checkpoint from) {
        next.put(dc, from.count());
        same(dc, from);
    }

    void jumped(int dc, Checkpoint to) {
        next.put(dc, to.count());
        same(dc, to);
    }

    private void same(int dc, Checkpoint at) {
        if (at.count() > order.size()) {
            broken("d" + dc + " goes on from entry " + at.count() + ", which nobody has executed");
        } else if (at.count() > 0 && order.get((int) at.count() - 1).digest() != at.digest()) {
            broken("d" + dc + " goes on from entry " + at.count() + " with another state than others had there");
        }
    }

    void executed(int dc, Observer.Executed executed, long nowMicros) {
        long number = executed.number();
        // Two processes may believe that they run the data centre: each goes on by itself.
        if (number > order.size()) {
            broken("d" + dc + " executes entry " + number + " although nobody has executed entry " + order.size());
            return;
        }
        next.put(dc, number + 1);
        if (number == order.size()) {
            endsInTime(executed.entry(), nowMicros);
            order.add(new Step(
                    executed.lane(), executed.position(), executed.entry(), executed.outcomes(), executed.digest()));
            return;
        }
        Step known = order.get((int) number);
        if (known.lane() != executed.lane()
                || known.position() != executed.position()
                || known.entry().origin() != executed.entry().origin()) {
            broken("entry " + number + " is " + known.lane() + "/" + known.position() + " elsewhere, and "
                    + executed.lane() + "/" + executed.position() + " at d" + dc + " (" + known.entry() + " and "
                    + executed.entry() + ")");
        } else if (known.digest() != executed.digest()) {
            broken("entry " + number + " gives another state at d" + dc + " than elsewhere"
                    + difference(known, executed));
        }
    }

    /** No clock of one data centre alone lets anything end early. */
    private void endsInTime(Entry entry, long nowMicros) {
        for (Submission submission : entry.submissions()) {
            if (submission.request() instanceof Request.ExpireRows expire
                    && expire.byMillis() > Ends.wallMillis(nowMicros) + MOST_EARLY_MILLIS) {
                broken("values end by " + expire.byMillis() + ", and it is " + Ends.wallMillis(nowMicros));
            }
        }
    }

    private static String difference(Step known, Observer.Executed executed) {
        for (int i = 0; i < known.outcomes().size(); i++) {
            if (!known.outcomes().get(i).equals(executed.outcomes().get(i))) {
                return ": submission " + i + " ("
                        + known.entry().submissions().get(i).request() + ") came to "
                        + known.outcomes().get(i) + " there, and here to "
                        + executed.outcomes().get(i);
            }
        }
        return "";
    }

    /**
     * What a core says that it holds, against what it may hold.
     *
     * @param largest what a request may take: one always fits, in each lane
     */
    void holds(int dc, Usage usage, Budget budget, long largest) {
        within(dc, "entries", usage.laneBytes(), budget.laneBytes() + next.size() * largest);
        within(dc, "rows", usage.rowBytes(), budget.rowBytes());
        within(dc, "requests", usage.queuedBytes(), budget.queuedBytes() + (next.size() - 1) * largest);
        // What nobody has in his tables stays, whatever it takes.
        within(dc, "log on disk", usage.logBytes(), (budget.logBytes() + budget.behindBytes()) * 3 / 2);
        lags.put(dc, usage.lagBytes());
        isHeldBack(budget);
    }

    /**
     * However much clients ask for: where a majority lags, less is proposed. What was under way by then may come on
     * top.
     */
    private void isHeldBack(Budget budget) {
        if (lags.size() == next.size()) {
            long lag = lags.values().stream()
                    .sorted()
                    .skip(lags.size() / 2)
                    .findFirst()
                    .orElseThrow();
            if (lag > 2 * budget.stopBytes()) {
                broken("a majority lags " + lag + " bytes and more; from " + budget.stopBytes()
                        + " on nothing but a trickle should be proposed");
            }
        }
    }

    private void within(int dc, String what, long bytes, long budget) {
        if (bytes > budget) {
            broken("d" + dc + " holds " + bytes + " bytes of " + what + "; its budget is " + budget);
        } else if (bytes < 0) {
            broken("d" + dc + " holds " + bytes + " bytes of " + what + ": something was given back twice");
        }
    }

    void acknowledged(Acknowledged answer) {
        acknowledged.add(answer);
        acknowledgedBelow = Math.max(acknowledgedBelow, answer.at() + 1);
    }

    /**
     * Whether somebody has executed, without a gap, all that clients were told of: they are told before what stands
     * earlier has run.
     */
    boolean hasSeenAllAcknowledged() {
        return order.size() >= acknowledgedBelow;
    }

    void snapshot(SnapshotSeen seen) {
        snapshots.add(seen);
        if (seen.count() < seen.atLeast()) {
            broken("a snapshot read with token " + seen.atLeast() + " saw only " + seen.count() + " entries");
        }
    }

    /** Of so many entries somebody has been told something. */
    long acknowledgedBelow() {
        return acknowledgedBelow;
    }

    void scanned(ScannedRows seen) {
        scans.add(seen);
    }

    /** In the end, when everything is in its tables. */
    void usersSee(int dc, StoredTables tables) {
        seenByUsers.put(dc, tables);
    }

    /** In the end. */
    void streams(int dc, StoredChanges changes) {
        streams.put(dc, changes);
    }

    private @Nullable String wrongStream(SerialReplay replay) {
        for (Map.Entry<Integer, StoredChanges> each : streams.entrySet()) {
            String wrong = each.getValue().wrong(replay.changes());
            if (wrong != null) {
                return "d" + each.getKey() + ": " + wrong;
            }
        }
        return null;
    }

    private @Nullable String wrongScan(SerialReplay replay) {
        if (scans.isEmpty()) {
            return null;
        }
        RowsByCount past = new RowsByCount(before, replay.changes());
        for (ScannedRows each : scans) {
            String wrong = each.wrong(past);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private @Nullable String shownThoughDeleted(SerialReplay replay) {
        for (Map.Entry<Integer, StoredTables> each : seenByUsers.entrySet()) {
            for (RowKey key : replay.deleted()) {
                if (each.getValue().seenByUsers(key).exists()) {
                    return "d" + each.getKey() + " shows users row " + key + ", which was deleted: "
                            + each.getValue().shown(key);
                }
            }
        }
        return null;
    }

    void broken(String what) {
        if (broken == null) {
            broken = what;
        }
    }

    /** The cores' own audit found this. */
    void audited(String what) {
        audit = Objects.requireNonNullElse(audit, what);
    }

    /** What the cores themselves have noticed; null where they have not. */
    @Nullable
    String audit() {
        return audit;
    }

    long executedCount() {
        return order.size();
    }

    /** What is wrong; null where nothing is. To be called at the end of a run. */
    @Nullable
    String judge() {
        if (broken == null) {
            SerialReplay replay = new SerialReplay(before, order, snapshots);
            broken = replay.run();
            if (broken == null) {
                broken = RealTimeOrder.check(acknowledged, replay);
            }
            if (broken == null) {
                broken = shownThoughDeleted(replay);
            }
            if (broken == null) {
                broken = wrongStream(replay);
            }
            if (broken == null) {
                broken = wrongScan(replay);
            }
        }
        return broken;
    }
}
