/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether sessions, which do one thing after the other, went back: saw less of a row than they had seen, or written,
 * before.
 */
final class SessionOrder {
    private record Look(long startNanos, String what, Map<Integer, Long> seen, boolean writes) {}

    private SessionOrder() {}

    /** A line for each step back. */
    static List<String> broken(List<Recorded> recorded, List<Snapshot> snapshots) {
        Map<String, List<Look>> sessions = new TreeMap<>();
        for (Recorded each : recorded) {
            if (each.outcome().status() == TransactionOutcome.Status.COMMIT) {
                add(sessions, each.session(), look(each));
            }
        }
        for (Snapshot snapshot : snapshots) {
            Map<Integer, Long> seen = new HashMap<>();
            snapshot.rows().forEach(account -> seen.put(account.row(), account.version()));
            add(sessions, snapshot.session(), new Look(snapshot.startNanos(), "a snapshot", seen, false));
        }
        List<String> findings = new ArrayList<>();
        sessions.forEach((session, looks) -> check(session, looks, findings));
        return findings;
    }

    private static void add(Map<String, List<Look>> sessions, String session, Look look) {
        sessions.computeIfAbsent(session, none -> new ArrayList<>()).add(look);
    }

    private static Look look(Recorded each) {
        Map<Integer, Long> seen = new HashMap<>();
        for (int i = 0; i < each.outcome().seen().size(); i++) {
            seen.put(each.request().rows().get(i), each.outcome().seen().get(i).version());
        }
        return new Look(
                each.startNanos(),
                each.request().id(),
                seen,
                each.request().kind().writes());
    }

    private static void check(String session, List<Look> looks, List<String> findings) {
        looks.sort(Comparator.comparingLong(Look::startNanos));
        Map<Integer, Long> known = new HashMap<>();
        for (Look look : looks) {
            look.seen.forEach((row, version) -> {
                long before = known.getOrDefault(row, 0L);
                if (version < before) {
                    findings.add("session " + session + " went back: " + look.what + " saw version " + version
                            + " of row " + row + ", of which it knew version " + before);
                }
                known.put(row, Math.max(before, look.writes ? version + 1 : version));
            });
        }
    }
}
