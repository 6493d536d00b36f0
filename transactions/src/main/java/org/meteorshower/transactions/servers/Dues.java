/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.port.RowWrite;

/**
 * When the first of what a server has written ends, by the count as of which it was written. Until K has passed that,
 * the sequencer may have looked there already, and not found what was not in the tables yet.
 */
final class Dues {
    /** Those of more counts are taken together. */
    private static final int MOST = 64;

    private final TreeMap<Long, Long> byCount = new TreeMap<>();

    /**
     * Each row of which something ends is noted as due then, however it is noted in the tables: what is there may be
     * forgotten before this is written.
     */
    static List<RowWrite> noted(List<RowWrite> rows) {
        return rows.stream().map(Dues::noted).toList();
    }

    private static RowWrite noted(RowWrite write) {
        long ends = write.row().row().endsFirst();
        return ends == Row.NEVER ? write : write.dueAt(ends);
    }

    /** The tables hold these. */
    void written(long asOf, List<RowWrite> rows) {
        long first = Row.NEVER;
        for (RowWrite row : rows) {
            first = row.due() == RowWrite.NOT_DUE ? first : Math.min(first, row.due());
        }
        if (first == Row.NEVER) {
            return;
        }
        byCount.merge(asOf, first, Math::min);
        if (byCount.size() > MOST) {
            long oldest = byCount.pollFirstEntry().getValue();
            byCount.merge(byCount.firstKey(), oldest, Math::min);
        }
    }

    /** When the first ends of what was written since K; {@link Row#NEVER} where nothing does. */
    long first(long done) {
        while (!byCount.isEmpty() && byCount.firstKey() <= done) {
            byCount.pollFirstEntry();
        }
        long first = Row.NEVER;
        for (Map.Entry<Long, Long> each : byCount.entrySet()) {
            first = Math.min(first, each.getValue());
        }
        return first;
    }

    void clear() {
        byCount.clear();
    }
}
