/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/**
 * Reads decided entries from this disk's log, for this data centre when their turn comes, and for who asks: a few pages
 * at a time.
 */
public final class LogReads {
    private static final int MOST_UNDER_WAY = 16;

    /** Who wants the page. */
    public interface Reader {
        /** @param entries without a gap from {@code from} on; none where the log does not hold that one */
        void read(long from, List<Entry> entries);
    }

    private final Turn turn;
    private final int pageBytes;
    private final Map<Long, Reader> underWay = new HashMap<>();
    private long requests;

    /** @param pageBytes what is read at a time */
    public LogReads(Turn turn, int pageBytes) {
        this.turn = turn;
        this.pageBytes = pageBytes;
    }

    public int pageBytes() {
        return pageBytes;
    }

    /**
     * @param below what is settled
     * @return whether it is read: false where too much is being read
     */
    public boolean read(int lane, long from, long below, Reader reader) {
        if (underWay.size() >= MOST_UNDER_WAY) {
            return false;
        }
        underWay.put(++requests, reader);
        turn.emit(new Effect.ReadLog(requests, lane, from, below, pageBytes));
        return true;
    }

    public void read(long request, long from, List<Entry> entries) {
        Reader reader = underWay.remove(request);
        if (reader != null) {
            reader.read(from, entries);
        }
    }
}
