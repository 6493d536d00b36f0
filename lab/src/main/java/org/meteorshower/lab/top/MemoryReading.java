/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a user of the heap holds at one node, in bytes. */
record MemoryReading(long used, long limit, long peak, long timesFull) {
    /** Of its limit; from here on it is a trouble. */
    private static final double NEAR_ITS_END = 0.9;

    /** At their end these forget what is oldest: where there is work they are full, and nothing is wrong. */
    private static final Set<String> FORGETTING = Set.of("retired_ids", "prepared_transactions");

    double share() {
        return limit <= 0 ? 0 : (double) used / limit;
    }

    /** Whether somebody should look at it. */
    boolean isNearItsEnd(String user) {
        return share() >= NEAR_ITS_END && !FORGETTING.contains(user);
    }

    /** By user; empty where the node runs a version of the plugin that does not tell, or nobody may look. */
    static Map<String, MemoryReading> of(CqlSession session) {
        Map<String, MemoryReading> users = new TreeMap<>();
        try {
            for (Row row : session.execute("SELECT * FROM meteorshower.memory")) {
                users.put(
                        String.valueOf(row.getString("user")),
                        new MemoryReading(
                                row.getLong("used_bytes"),
                                row.getLong("limit_bytes"),
                                row.getLong("peak_bytes"),
                                row.getLong("times_full")));
            }
        } catch (InvalidQueryException e) {
            return Map.of(); // one may look at both versions during an upgrade
        }
        return users;
    }
}
