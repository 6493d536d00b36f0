/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.Set;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;

/** Adds the rows that a request may write, in any branch. All others that it names it only reads. */
final class MayWrite implements Request.Visitor<Set<RowKey>>, Statement.Handler {
    private final SessionId place;
    private final Set<RowKey> written;

    private MayWrite(SessionId place, Set<RowKey> written) {
        this.place = place;
        this.written = written;
    }

    static Set<RowKey> of(Request request, SessionId place, Set<RowKey> empty) {
        return request.accept(new MayWrite(place, empty));
    }

    private Set<RowKey> and(RowKey row) {
        written.add(row);
        return written;
    }

    private Set<RowKey> by(Transaction transaction) {
        all(transaction.body());
        return written;
    }

    private void all(List<Statement> statements) {
        statements.forEach(statement -> statement.handOver(this));
    }

    @Override
    public Set<RowKey> on(Request.Open open) {
        return and(place.row());
    }

    @Override
    public Set<RowKey> on(Request.Run run) {
        by(run.transaction());
        return and(run.session().row());
    }

    @Override
    public Set<RowKey> on(Request.Once once) {
        return by(once.transaction());
    }

    @Override
    public Set<RowKey> on(Request.Read read) {
        return written;
    }

    @Override
    public Set<RowKey> on(Request.Resolve resolve) {
        return and(resolve.session().row());
    }

    @Override
    public Set<RowKey> on(Request.Expire expire) {
        return and(expire.session().row());
    }

    @Override
    public Set<RowKey> on(Request.ExpireRows expire) {
        written.addAll(expire.rows());
        return written;
    }

    @Override
    public void on(Statement.Let let) {}

    @Override
    public void on(Statement.Put put) {
        written.add(put.row());
    }

    @Override
    public void on(Statement.Delete delete) {
        written.add(delete.row());
    }

    @Override
    public void on(Statement.If choice) {
        all(choice.then());
        all(choice.otherwise());
    }

    @Override
    public void on(Statement.Require require) {}

    @Override
    public void on(Statement.Return answer) {}

    @Override
    public void on(Statement.Find find) {}

    @Override
    public void on(Statement.DeleteRange delete) {
        throw Visit.claims();
    }

    @Override
    public void on(Statement.Change change) {
        throw Visit.claims();
    }
}
