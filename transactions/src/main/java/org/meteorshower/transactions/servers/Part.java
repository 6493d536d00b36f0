/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import org.meteorshower.transactions.language.RowKey;

/** A transaction's chain as one range sees it. */
final class Part {
    final long version;
    final Visit visit;

    /** Its rows here, in the order of names. */
    final List<RowKey> rows;

    private boolean gone;

    Part(long version, Visit visit, int range) {
        this.version = version;
        this.visit = visit;
        this.rows = visit.rowsIn(range);
    }

    /** Whether it has told the turn's range what the rows hold, and waits for what becomes of them. */
    boolean hasGoneForward() {
        return gone;
    }

    void goneForward() {
        gone = true;
    }
}
