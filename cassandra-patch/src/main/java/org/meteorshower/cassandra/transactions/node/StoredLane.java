/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;

/**
 * What is stored of a lane.
 *
 * @param settled below it the log holds what was decided
 * @param trimmed up to here the log was deleted
 * @param total bytes that the log has ever taken, about
 * @param logBytes that it takes from its floor on, about
 */
record StoredLane(
        AcceptorState acceptor, List<AcceptedEntry> learned, long settled, long trimmed, long total, long logBytes) {
    /** Bytes that the log had taken before a bucket; before the next one that is known where it is not. */
    static long before(long bucket, Map<Long, Long> buckets) {
        TreeMap<Long, Long> ordered = new TreeMap<>(buckets);
        Map.Entry<Long, Long> nearest = ordered.floorEntry(bucket);
        if (nearest == null) {
            nearest = ordered.firstEntry();
        }
        return nearest == null ? 0 : nearest.getValue();
    }
}
