/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;

/** What the kinds of requests do to rows. A function of the request, its place in the order, and the rows. */
public final class Requests {
    private static final Rows KNOWN_ROWS = new Rows(null);
    private static final Asserts ASSERTS = new Asserts();
    private static final Claims CLAIMS = new Claims();

    private final Request request;
    private final SessionId named;
    private final long version;

    /**
     * @param place where it stands: a session that it opens is named so
     * @param version of what it writes
     */
    public Requests(Request request, SessionId place, long version) {
        this.request = request;
        this.named = place;
        this.version = version;
    }

    /** The session's row comes first: its table's name is before all others. Not to be modified. */
    public SortedSet<RowKey> rows() {
        return request.accept(new Rows(named));
    }

    /** The rows of a request that is not merged yet; a session to be opened has none. Not to be modified. */
    public static SortedSet<RowKey> knownRows(Request request) {
        return request.accept(KNOWN_ROWS);
    }

    /** @param opened the session that is to be opened; null where it has no name yet */
    private record Rows(@Nullable SessionId opened) implements Request.Visitor<SortedSet<RowKey>> {
        private static SortedSet<RowKey> of(RowKey row) {
            return new TreeSet<>(List.of(row));
        }

        @Override
        public SortedSet<RowKey> on(Request.Open open) {
            return opened == null ? new TreeSet<>() : of(opened.row());
        }

        @Override
        public SortedSet<RowKey> on(Request.Run run) {
            SortedSet<RowKey> rows = new TreeSet<>(run.transaction().rows());
            rows.add(run.session().row());
            return rows;
        }

        @Override
        public SortedSet<RowKey> on(Request.Once once) {
            return once.transaction().rows();
        }

        @Override
        public SortedSet<RowKey> on(Request.Read read) {
            return read.transaction().rows();
        }

        @Override
        public SortedSet<RowKey> on(Request.Resolve resolve) {
            return of(resolve.session().row());
        }

        @Override
        public SortedSet<RowKey> on(Request.Expire expire) {
            return of(expire.session().row());
        }

        @Override
        public SortedSet<RowKey> on(Request.ExpireRows expire) {
            return new TreeSet<>(expire.rows());
        }
    }

    List<Expression> asserts() {
        return request.accept(ASSERTS);
    }

    /** What must hold for anything of it to happen. */
    private static final class Asserts implements Request.Visitor<List<Expression>> {
        @Override
        public List<Expression> on(Request.Open open) {
            return List.of();
        }

        @Override
        public List<Expression> on(Request.Run run) {
            return run.transaction().asserts();
        }

        @Override
        public List<Expression> on(Request.Once once) {
            return once.transaction().asserts();
        }

        @Override
        public List<Expression> on(Request.Read read) {
            return List.of(); // of one that only reads the program tells
        }

        @Override
        public List<Expression> on(Request.Resolve resolve) {
            return List.of();
        }

        @Override
        public List<Expression> on(Request.Expire expire) {
            return List.of();
        }

        @Override
        public List<Expression> on(Request.ExpireRows expire) {
            return List.of();
        }
    }

    public List<Claim> claims() {
        return claims(request);
    }

    /** What a request must have to itself besides the rows that it names, in the order of its statements. */
    public static List<Claim> claims(Request request) {
        return request.accept(CLAIMS);
    }

    /** What it must have to itself besides the rows that it names. */
    private static final class Claims implements Request.Visitor<List<Claim>> {
        @Override
        public List<Claim> on(Request.Open open) {
            return List.of();
        }

        @Override
        public List<Claim> on(Request.Run run) {
            return run.transaction().claims();
        }

        @Override
        public List<Claim> on(Request.Once once) {
            return once.transaction().claims();
        }

        @Override
        public List<Claim> on(Request.Read read) {
            return read.transaction().claims();
        }

        @Override
        public List<Claim> on(Request.Resolve resolve) {
            return List.of();
        }

        @Override
        public List<Claim> on(Request.Expire expire) {
            return List.of();
        }

        @Override
        public List<Claim> on(Request.ExpireRows expire) {
            return List.of();
        }
    }

    /** Whether what is held shows that nothing of the transaction will happen. Asserts that hold are taken out. */
    boolean failsAlready(List<Expression> asserts, SortedMap<RowKey, Row> held) {
        for (Iterator<Expression> left = asserts.iterator(); left.hasNext(); ) {
            Expression assertion = left.next();
            TreeSet<RowKey> needs = new TreeSet<>();
            assertion.addRows(needs);
            if (held.keySet().containsAll(needs)) {
                if (!Program.holds(assertion, held)) {
                    return true;
                }
                left.remove();
            }
        }
        return false;
    }

    /** @param stopped what comes of the transaction; null where that follows from what is held, which is all then */
    public Evaluation evaluate(Holdings held, @Nullable Evaluation stopped) {
        return request.accept(new Evaluating(held, stopped));
    }

    /** What comes of each kind. */
    private final class Evaluating implements Request.Visitor<Evaluation> {
        private final Holdings held;
        private final @Nullable Evaluation stopped;

        Evaluating(Holdings held, @Nullable Evaluation stopped) {
            this.held = held;
            this.stopped = stopped;
        }

        @Override
        public Evaluation on(Request.Open open) {
            return new Evaluation(
                    new Outcome.Committed(
                            List.of(Value.of(named.lane()), Value.of(named.position()), Value.of(named.index()))),
                    new TreeMap<>(Map.of(named.row(), SessionRecord.opened(version))));
        }

        @Override
        public Evaluation on(Request.Run run) {
            return runOnce(run, held, stopped);
        }

        @Override
        public Evaluation on(Request.Once once) {
            return ran(once.transaction(), held, stopped);
        }

        @Override
        public Evaluation on(Request.Read read) {
            return ran(read.transaction(), held, stopped);
        }

        @Override
        public Evaluation on(Request.Resolve resolve) {
            return resolved(resolve, row(held, resolve.session()));
        }

        @Override
        public Evaluation on(Request.Expire expire) {
            return expired(expire, row(held, expire.session()));
        }

        @Override
        public Evaluation on(Request.ExpireRows expire) {
            return expired(expire, held.rows());
        }
    }

    private static Evaluation ran(Transaction transaction, Holdings held, @Nullable Evaluation stopped) {
        return stopped != null ? stopped : Program.run(transaction, held);
    }

    private Evaluation runOnce(Request.Run run, Holdings held, @Nullable Evaluation stopped) {
        Row record = row(held, run.session());
        Outcome known = SessionRecord.outcome(record, run.sequence());
        if (known != null) {
            return new Evaluation(known, new TreeMap<>());
        }
        Evaluation ran = ran(run.transaction(), held, stopped);
        TreeMap<RowKey, Row> writes = new TreeMap<>(ran.writes());
        writes.put(run.session().row(), SessionRecord.with(record, run.sequence(), ran.outcome(), version));
        return new Evaluation(ran.outcome(), writes);
    }

    private Evaluation resolved(Request.Resolve resolve, Row record) {
        Outcome known = SessionRecord.outcome(record, resolve.sequence());
        if (known != null) {
            return new Evaluation(known, new TreeMap<>());
        }
        Outcome dead = new Outcome.Aborted(Outcome.Reason.DEAD, "it had not run when somebody asked, and never will");
        return new Evaluation(
                dead,
                new TreeMap<>(Map.of(
                        resolve.session().row(), SessionRecord.with(record, resolve.sequence(), dead, version))));
    }

    private static Evaluation expired(Request.Expire expire, Row record) {
        boolean idle = record.exists() && SessionRecord.usedVersion(record) <= expire.lastUsedVersion();
        TreeMap<RowKey, Row> writes = new TreeMap<>();
        if (idle) {
            writes.put(expire.session().row(), Row.ABSENT);
        }
        return new Evaluation(new Outcome.Committed(List.of(Value.of(idle))), writes);
    }

    private static Evaluation expired(Request.ExpireRows expire, SortedMap<RowKey, Row> held) {
        TreeMap<RowKey, Row> writes = new TreeMap<>();
        for (Map.Entry<RowKey, Row> row : held.entrySet()) {
            Row left = row.getValue().withoutEnded(expire.byMillis());
            if (!left.equals(row.getValue())) {
                writes.put(row.getKey(), left);
            }
        }
        return new Evaluation(new Outcome.Committed(List.of(Value.of(writes.size()))), writes);
    }

    private static Row row(Holdings held, SessionId session) {
        return held.rows().getOrDefault(session.row(), Row.ABSENT);
    }
}
