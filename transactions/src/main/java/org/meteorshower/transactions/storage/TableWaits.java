/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/**
 * Who waits until the users' tables here hold what the entries up to a token have written: a scan, which no lane has a
 * place for, then sees all of it in them. Rows are written behind in cuts, and one that somebody waits for begins at
 * once.
 *
 * <p>Each row is then as it was at the token or later; two of them need not be of one moment, since the next cut is on
 * its way.
 */
public final class TableWaits {
    private static final int MOST_WAITING = 10_000;

    private record Waiting(long client, long token, long deadlineNanos) {}

    private final Turn turn;
    private final Checkpoints checkpoints;
    private final EarlierEditions earlier;
    private final List<Waiting> waiting = new ArrayList<>();

    public TableWaits(Turn turn, Checkpoints checkpoints, EarlierEditions earlier) {
        this.turn = turn;
        this.checkpoints = checkpoints;
        this.earlier = earlier;
    }

    public void add(long client, long token, long deadlineNanos) {
        if (waiting.size() >= MOST_WAITING) {
            refuse(client, Answer.Refusal.OVERLOADED, MOST_WAITING + " scans wait already: try again in 100 ms");
        } else {
            waiting.add(new Waiting(client, token, deadlineNanos));
        }
    }

    /**
     * Whether a cut now would be what somebody waits for.
     *
     * @param count of entries executed here
     */
    public boolean areFor(long count) {
        for (Waiting each : waiting) {
            if (each.token > checkpoints.held() && each.token <= count) {
                return true;
            }
        }
        return false;
    }

    /**
     * Answers those that can be, and those whose time is over.
     *
     * @param usable whether the rows are whole, and not being replaced
     */
    public void look(boolean usable) {
        if (waiting.isEmpty()) {
            return;
        }
        long held = checkpoints.held();
        boolean clean = usable && earlier.areForgotten(checkpoints.edition());
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting each = all.next();
            if (clean && held >= each.token) {
                all.remove();
                turn.emit(new Effect.Reply(each.client, new Answer.Snapshot(List.of(), held, 0)));
            } else if (turn.nanos() > each.deadlineNanos) {
                all.remove();
                refuse(
                        each.client,
                        Answer.Refusal.BEHIND,
                        usable && !clean
                                ? "this data centre has taken a snapshot, and its tables are still being looked through"
                                        + " for rows that were deleted elsewhere"
                                : "the tables here hold " + held + ", asked for: " + each.token);
            }
        }
    }

    /** This process stops: those that wait may ask the next one. */
    public void abandon() {
        for (Waiting each : waiting) {
            refuse(each.client, Answer.Refusal.NOT_READY, "this data centre's process hands over to another one");
        }
        waiting.clear();
    }

    private void refuse(long client, Answer.Refusal refusal, String detail) {
        turn.emit(new Effect.Reply(client, new Answer.Refused(refusal, detail)));
    }
}
