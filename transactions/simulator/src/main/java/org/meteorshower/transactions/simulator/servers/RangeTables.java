/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** The data centre's tables of versions, which outlive all nodes. */
final class RangeTables {
    private record Kept(StoredRow row, long previous) {}

    private final Map<RowKey, TreeMap<Long, Kept>> versions = new HashMap<>();

    StoredRow read(RowKey key, long asOf) {
        TreeMap<Long, Kept> its = versions.getOrDefault(key, new TreeMap<>());
        Map.Entry<Long, Kept> newest = its.lowerEntry(Version.endOf(asOf));
        if (newest != null) {
            return newest.getValue().row;
        }
        StoredRow unkept =
                its.isEmpty() ? null : StoredRow.unkept(its.firstEntry().getValue().previous, Version.endOf(asOf));
        return unkept == null ? StoredRow.NEVER_WRITTEN : unkept;
    }

    void write(RowWrite write) {
        TreeMap<Long, Kept> its = versions.computeIfAbsent(write.key(), key -> new TreeMap<>());
        its.put(write.row().version(), new Kept(write.row(), write.previous()));
        its.headMap(write.forgetBelow()).clear();
    }
}
