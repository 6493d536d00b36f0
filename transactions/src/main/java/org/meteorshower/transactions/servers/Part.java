/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.Queue;
import org.meteorshower.transactions.chains.Expected;
import org.meteorshower.transactions.chains.Queued;
import org.meteorshower.transactions.language.RowKey;

/** A transaction's chain as one range sees it. */
final class Part implements Queued {
    final long version;
    final Visit visit;

    /** Its rows here, in the order of names. */
    final List<RowKey> rows;

    private final Queue<Part> ready;
    private Expected expected = Expected.NOTHING;
    private boolean gone;

    /** @param ready it is added there when it may get on */
    Part(long version, Visit visit, int range, Queue<Part> ready) {
        this.version = version;
        this.visit = visit;
        this.rows = visit.rowsIn(range);
        this.ready = ready;
    }

    @Override
    public void wake() {
        ready.add(this);
    }

    void expect(Expected rowsToCome) {
        expected = rowsToCome;
    }

    Expected expected() {
        return expected;
    }

    /** Whether it has told the turn's range what the rows hold, and waits for what becomes of them. */
    boolean hasGoneForward() {
        return gone;
    }

    void goneForward() {
        gone = true;
    }
}
