/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.Map;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * Looks through the tables for rows that are absent and that memory does not know of: what an earlier process has left,
 * and what did not fit. Slowly: a page at a time, while there is room to note what is found.
 */
public final class AbsentRows {
    private final Turn turn;
    private final Checkpoints checkpoints;
    private final RowMemory memory;
    private final long everyMicros;
    private final int pageBytes;

    private boolean looking;
    private String place = "";
    private long below;

    /** Of the read under way; 0 for none. Below 0, apart from those of {@link SnapshotGiver}. */
    private long request;

    private long requests;
    private long lookedMicros;

    /** @param everyMicros a page is read, at most */
    public AbsentRows(Turn turn, Checkpoints checkpoints, RowMemory memory, long everyMicros, int pageBytes) {
        this.turn = turn;
        this.checkpoints = checkpoints;
        this.memory = memory;
        this.everyMicros = everyMicros;
        this.pageBytes = pageBytes;
    }

    /** @param usable whether the tables are whole */
    public void tick(boolean usable) {
        if (!usable || request != 0 || turn.micros() - lookedMicros < everyMicros) {
            return;
        }
        lookedMicros = turn.micros();
        if (!looking) {
            begin();
        }
        if (looking && memory.hasRoomForAbsent()) {
            request = --requests;
            turn.emit(new Effect.ReadPage(request, checkpoints.edition(), below, place, pageBytes, false));
        }
    }

    /** All that is to be found must be forgettable by then: else it would have to be looked for again. */
    private void begin() {
        long end = Version.endOf(checkpoints.done().count());
        if (memory.missedVersion() > 0 && memory.missedVersion() < end) {
            looking = true;
            place = "";
            below = end;
            memory.lookingForMissed();
        }
    }

    public void pageRead(long ofRequest, Map<RowKey, StoredRow> rows, String next) {
        if (ofRequest != request) {
            return;
        }
        request = 0;
        rows.forEach((key, row) -> {
            if (!row.row().exists()) {
                memory.isAbsent(key, row.version());
            }
        });
        place = next;
        looking = !next.isEmpty();
    }

    /** The tables hold something else now. */
    public void jump() {
        request = 0;
        looking = false;
    }
}
