/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.merge.Merged;

/** What the kinds of requests do to rows. A function of the request, its place in the order, and the rows. */
final class Requests {
    private final Request request;
    private final SessionId named;
    private final long version;

    Requests(Request request, Merged merged, int index, long version) {
        this.request = request;
        this.named = new SessionId(merged.lane(), merged.position(), index);
        this.version = version;
    }

    /** The session's row comes first: its table's name is before all others. */
    SortedSet<RowKey> rows() {
        return rows(request, named);
    }

    /** The rows of a request that is not merged yet; a session to be opened has none. */
    static SortedSet<RowKey> knownRows(Request request) {
        return request instanceof Request.Open ? new TreeSet<>() : rows(request, new SessionId(0, 0, 0));
    }

    private static SortedSet<RowKey> rows(Request request, SessionId named) {
        TreeSet<RowKey> rows = new TreeSet<>();
        if (request instanceof Request.Open) {
            rows.add(named.row());
        } else if (request instanceof Request.Run run) {
            rows.addAll(run.transaction().rows());
            rows.add(run.session().row());
        } else if (request instanceof Request.Once once) {
            rows.addAll(once.transaction().rows());
        } else if (request instanceof Request.Read read) {
            rows.addAll(read.transaction().rows());
        } else if (request instanceof Request.Resolve resolve) {
            rows.add(resolve.session().row());
        } else if (request instanceof Request.Expire expire) {
            rows.add(expire.session().row());
        }
        return rows;
    }

    List<Expression> asserts() {
        if (request instanceof Request.Run run) {
            return run.transaction().asserts();
        }
        return request instanceof Request.Once once ? once.transaction().asserts() : List.of();
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

    /** @param failed whether an assert does not hold; then not all rows are held */
    Evaluation evaluate(SortedMap<RowKey, Row> held, boolean failed) {
        if (request instanceof Request.Open) {
            return new Evaluation(
                    new Outcome.Committed(
                            List.of(Value.of(named.lane()), Value.of(named.position()), Value.of(named.index()))),
                    new TreeMap<>(java.util.Map.of(named.row(), SessionRecord.opened(version))));
        } else if (request instanceof Request.Run run) {
            return runOnce(run, held, failed);
        } else if (request instanceof Request.Once once) {
            return failed ? Program.assertFailed() : Program.run(once.transaction(), held);
        } else if (request instanceof Request.Read read) {
            return Program.run(read.transaction(), held);
        } else if (request instanceof Request.Resolve resolve) {
            return resolve(resolve, row(held, resolve.session()));
        }
        return expire((Request.Expire) request, row(held, ((Request.Expire) request).session()));
    }

    private Evaluation runOnce(Request.Run run, SortedMap<RowKey, Row> held, boolean failed) {
        Row record = row(held, run.session());
        Outcome known = SessionRecord.outcome(record, run.sequence());
        if (known != null) {
            return new Evaluation(known, new TreeMap<>());
        }
        Evaluation ran = failed ? Program.assertFailed() : Program.run(run.transaction(), held);
        TreeMap<RowKey, Row> writes = new TreeMap<>(ran.writes());
        writes.put(run.session().row(), SessionRecord.with(record, run.sequence(), ran.outcome(), version));
        return new Evaluation(ran.outcome(), writes);
    }

    private Evaluation resolve(Request.Resolve resolve, Row record) {
        Outcome known = SessionRecord.outcome(record, resolve.sequence());
        if (known != null) {
            return new Evaluation(known, new TreeMap<>());
        }
        Outcome dead = new Outcome.Aborted(Outcome.Reason.DEAD, "it had not run when somebody asked, and never will");
        return new Evaluation(
                dead,
                new TreeMap<>(java.util.Map.of(
                        resolve.session().row(), SessionRecord.with(record, resolve.sequence(), dead, version))));
    }

    private static Evaluation expire(Request.Expire expire, Row record) {
        boolean idle = record.exists() && SessionRecord.usedVersion(record) <= expire.lastUsedVersion();
        TreeMap<RowKey, Row> writes = new TreeMap<>();
        if (idle) {
            writes.put(expire.session().row(), Row.ABSENT);
        }
        return new Evaluation(new Outcome.Committed(List.of(Value.of(idle))), writes);
    }

    private static Row row(SortedMap<RowKey, Row> held, SessionId session) {
        return held.getOrDefault(session.row(), Row.ABSENT);
    }
}
