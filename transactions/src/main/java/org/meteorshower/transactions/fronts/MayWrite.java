/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.fronts;

import java.util.List;
import java.util.function.Consumer;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;

/**
 * Tells the rows that a request may write, in any branch. All others that it names it only reads, but for those of
 * partitions that it {@linkplain org.meteorshower.transactions.language.Claim has to itself}.
 */
public final class MayWrite implements Request.Visitor<Boolean>, Statement.Handler {
    private final SessionId place;
    private final Consumer<RowKey> written;
    private boolean any;

    private MayWrite(SessionId place, Consumer<RowKey> written) {
        this.place = place;
        this.written = written;
    }

    /**
     * @param place where it stands: a session that it opens is named so
     * @param written told each, some maybe more than once
     * @return whether there is any
     */
    public static boolean tell(Request request, SessionId place, Consumer<RowKey> written) {
        return request.accept(new MayWrite(place, written));
    }

    private boolean and(RowKey row) {
        any = true;
        written.accept(row);
        return true;
    }

    private boolean by(Transaction transaction) {
        all(transaction.body());
        return any;
    }

    private void all(List<Statement> statements) {
        for (Statement statement : statements) {
            statement.handOver(this);
        }
    }

    @Override
    public Boolean on(Request.Open open) {
        return and(place.row());
    }

    @Override
    public Boolean on(Request.Run run) {
        var unused = by(run.transaction());
        return and(run.session().row());
    }

    @Override
    public Boolean on(Request.Once once) {
        return by(once.transaction());
    }

    @Override
    public Boolean on(Request.Read read) {
        return false;
    }

    @Override
    public Boolean on(Request.Resolve resolve) {
        return and(resolve.session().row());
    }

    @Override
    public Boolean on(Request.Expire expire) {
        return and(expire.session().row());
    }

    @Override
    public Boolean on(Request.ExpireRows expire) {
        expire.rows().forEach(this::and);
        return any;
    }

    @Override
    public void on(Statement.Let let) {}

    @Override
    public void on(Statement.Put put) {
        var unused = and(put.row());
    }

    @Override
    public void on(Statement.Delete delete) {
        var unused = and(delete.row());
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
        any = true;
    }

    @Override
    public void on(Statement.Change change) {
        any = true;
    }
}
