/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.ChangedRow;

/** Runs the agreed order one by one on a plain map, with its own account of sessions, and compares what comes of it. */
final class SerialReplay {
    /** Where a submission ran, and what came of it. */
    record Ran(long number, Outcome outcome) {}

    private static final class Session {
        private long used;
        private long floor;
        private final TreeMap<Long, Outcome> outcomes = new TreeMap<>();
    }

    private static final int WINDOW = 16;

    private final List<Verifier.Step> order;
    private final ArrayDeque<Verifier.SnapshotSeen> snapshots;
    private final TreeMap<RowKey, Row> rows;
    private final Map<SessionId, Session> sessions = new HashMap<>();
    private final Map<SessionId, Map<Long, Ran>> ran = new HashMap<>();
    private final List<ChangedRow> changes = new ArrayList<>();

    /** @param before what the rows held before any transaction */
    SerialReplay(Map<RowKey, Row> before, List<Verifier.Step> order, List<Verifier.SnapshotSeen> snapshots) {
        this.rows = new TreeMap<>(before);
        this.order = order;
        this.snapshots = new ArrayDeque<>(snapshots.stream()
                .sorted(Comparator.comparingLong(Verifier.SnapshotSeen::count))
                .toList());
    }

    /** Where a number of a session was decided; null where it never was. */
    @Nullable
    Ran ran(SessionId session, long sequence) {
        return ran.getOrDefault(session, Map.of()).get(sequence);
    }

    /** What was set, in the order. */
    List<ChangedRow> changes() {
        return changes;
    }

    /** Rows that are absent in the end. */
    List<RowKey> deleted() {
        return rows.entrySet().stream()
                .filter(row -> !row.getValue().exists())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What a place in the order answered, for what has no session. */
    boolean answered(long number, Outcome outcome) {
        return number >= 0
                && number < order.size()
                && order.get((int) number).outcomes().contains(outcome);
    }

    /** What is wrong; null where nothing is. */
    @Nullable
    String run() {
        for (int number = 0; number < order.size(); number++) {
            String wrong = snapshotsAt(number);
            if (wrong != null) {
                return wrong;
            }
            Verifier.Step step = order.get(number);
            for (int index = 0; index < step.entry().submissions().size(); index++) {
                Submission submission = step.entry().submissions().get(index);
                Outcome outcome = run(submission.request(), step, number, index);
                if (!same(outcome, step.outcomes().get(index))) {
                    return "entry " + number + ", submission " + index + " (" + submission.request() + ") came to "
                            + step.outcomes().get(index) + "; run one after another it comes to " + outcome;
                }
            }
        }
        return snapshotsAt(order.size());
    }

    private static boolean same(Outcome a, Outcome b) {
        return (a instanceof Outcome.Aborted one && b instanceof Outcome.Aborted other)
                ? one.reason() == other.reason()
                : a.equals(b);
    }

    private @Nullable String snapshotsAt(long count) {
        while (!snapshots.isEmpty() && snapshots.peek().count() == count) {
            Verifier.SnapshotSeen seen = snapshots.poll();
            Outcome outcome =
                    Program.run(seen.transaction(), held(seen.transaction())).outcome();
            if (!outcome.equals(new Outcome.Committed(seen.values()))) {
                return "a snapshot read at " + count + " saw " + seen.values() + "; run one after another it sees "
                        + outcome;
            }
        }
        return null;
    }

    private SortedMap<RowKey, Row> held(Transaction transaction) {
        TreeMap<RowKey, Row> held = new TreeMap<>();
        transaction.rows().forEach(key -> held.put(key, rows.getOrDefault(key, Row.ABSENT)));
        transaction.claims().forEach(claim -> held.putAll(claim.partition().part(rows)));
        return held;
    }

    private Outcome run(Request request, Verifier.Step step, long number, int index) {
        return request.accept(new InItsPlace(step, number, index));
    }

    /** What comes of a request where it stands. */
    private final class InItsPlace implements Request.Visitor<Outcome> {
        private final Verifier.Step step;
        private final long number;
        private final int index;
        private final long version;

        InItsPlace(Verifier.Step step, long number, int index) {
            this.step = step;
            this.number = number;
            this.index = index;
            this.version = Version.of(number, index);
        }

        @Override
        public Outcome on(Request.Open open) {
            Session session = new Session();
            session.used = version;
            sessions.put(new SessionId(step.lane(), step.position(), index), session);
            return new Outcome.Committed(List.of(Value.of(step.lane()), Value.of(step.position()), Value.of(index)));
        }

        @Override
        public Outcome on(Request.Run run) {
            return once(run.session(), run.sequence(), number, version, () -> transacted(run.transaction()));
        }

        @Override
        public Outcome on(Request.Once once) {
            return transacted(once.transaction());
        }

        private Outcome transacted(Transaction transaction) {
            Evaluation evaluation = Program.run(transaction, held(transaction));
            rows.putAll(evaluation.writes());
            evaluation.writes().forEach((key, row) -> changes.add(new ChangedRow(number, index, key, row)));
            return evaluation.outcome();
        }

        @Override
        public Outcome on(Request.Read read) {
            return Program.run(read.transaction(), held(read.transaction())).outcome();
        }

        @Override
        public Outcome on(Request.Resolve resolve) {
            return once(resolve.session(), resolve.sequence(), number, version, () -> aborted(Outcome.Reason.DEAD));
        }

        @Override
        public Outcome on(Request.Expire expire) {
            Session session = sessions.get(expire.session());
            boolean idle = session != null && session.used <= expire.lastUsedVersion();
            if (idle) {
                sessions.remove(expire.session());
            }
            return new Outcome.Committed(List.of(Value.of(idle)));
        }

        /** One value after the other, whatever a row says of itself. */
        @Override
        public Outcome on(Request.ExpireRows expire) {
            long changed = 0;
            for (RowKey key : new TreeSet<>(expire.rows())) {
                Row row = rows.getOrDefault(key, Row.ABSENT);
                Row left = row;
                for (Map.Entry<String, Value> column : row.columns().entrySet()) {
                    if (column.getValue() instanceof Value.Expiring held && held.untilMillis() <= expire.byMillis()) {
                        left = left.with(column.getKey(), Value.NOTHING);
                    }
                }
                if (!left.equals(row)) {
                    changed++;
                    rows.put(key, left);
                    changes.add(new ChangedRow(number, index, key, left));
                }
            }
            return new Outcome.Committed(List.of(Value.of(changed)));
        }
    }

    private Outcome once(SessionId id, long sequence, long number, long version, Supplier<Outcome> first) {
        Session session = sessions.get(id);
        if (session == null) {
            return aborted(Outcome.Reason.SESSION_EXPIRED);
        } else if (sequence <= session.floor) {
            return aborted(Outcome.Reason.NUMBER_FORGOTTEN);
        }
        Outcome known = session.outcomes.get(sequence);
        if (known != null) {
            return known;
        }
        Outcome outcome = first.get();
        session.outcomes.put(sequence, outcome);
        session.used = version;
        if (session.outcomes.size() > WINDOW) {
            session.floor = session.outcomes.firstKey();
            session.outcomes.remove(session.floor);
        }
        ran.computeIfAbsent(id, i -> new HashMap<>()).put(sequence, new Ran(number, outcome));
        return outcome;
    }

    private static Outcome aborted(Outcome.Reason reason) {
        return new Outcome.Aborted(reason, "");
    }
}
