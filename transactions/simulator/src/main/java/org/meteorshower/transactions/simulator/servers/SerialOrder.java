/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.AtTurn;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.chains.Results;
import org.meteorshower.transactions.language.Digest;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.StoredRow;

/** What must come of a merged order: one transaction after the other, on one thread. */
final class SerialOrder {
    private final Map<RowKey, Row> before;
    private final Map<RowKey, TreeMap<Long, Row>> versions = new TreeMap<>();
    private final Map<Long, Outcome> outcomes = new HashMap<>();
    private final List<Long> digests = new ArrayList<>(List.of(0L));

    /** @param before what rows were before any transaction */
    SerialOrder(Map<RowKey, Row> before) {
        this.before = before;
        before.forEach((key, row) -> versions.put(key, new TreeMap<>(Map.of(0L, row))));
    }

    /** The next entry. */
    void add(Merged merged) {
        long digest = digests.get(digests.size() - 1);
        for (int index = 0; index < merged.entry().submissions().size(); index++) {
            digest = Digest.mix(digest, run(merged, index));
        }
        digests.add(digest);
    }

    Map<RowKey, Row> before() {
        return before;
    }

    /** Whether something is left that will end. */
    boolean isEnding() {
        return versions.values().stream()
                .anyMatch(its -> its.lastEntry().getValue().endsFirst() != Row.NEVER);
    }

    private long run(Merged merged, int index) {
        long version = Version.of(merged.number(), index);
        Requests requests = new Requests(
                merged.entry().submissions().get(index).request(),
                new SessionId(merged.lane(), merged.position(), index),
                version);
        AtTurn held = new AtTurn(requests);
        for (RowKey row : requests.rows()) {
            held.hold(row, newest(row, Long.MAX_VALUE).row());
        }
        Evaluation evaluation = held.evaluate();
        for (Holdings.Missing missing = held.missing(); missing != null; missing = held.missing()) {
            hold(missing, held);
            evaluation = held.evaluate();
        }
        outcomes.put(version, evaluation.outcome());
        evaluation.writes().forEach((row, written) -> versions.computeIfAbsent(row, key -> new TreeMap<>())
                .put(version, written));
        return Results.mix(version, evaluation);
    }

    /** All there is, so more than is looked for. No plan has so much that it would be too large. */
    private void hold(Holdings.Missing missing, AtTurn held) {
        missing.rows().forEach(row -> held.hold(row, newest(row, Long.MAX_VALUE).row()));
        for (Range range : missing.ranges()) {
            for (RowKey row : versions.keySet()) {
                if (range.partition().contains(row)) {
                    held.hold(row, newest(row, Long.MAX_VALUE).row());
                }
            }
        }
        held.gathered(0);
    }

    /** What the row is below a version. */
    StoredRow newest(RowKey row, long below) {
        TreeMap<Long, Row> its = versions.get(row);
        Map.Entry<Long, Row> newest = its == null ? null : its.lowerEntry(below);
        return newest == null ? StoredRow.NEVER_WRITTEN : new StoredRow(newest.getKey(), newest.getValue());
    }

    /** What this version of the row must hold; null where there is none. */
    @Nullable
    Row at(RowKey row, long version) {
        return versions.getOrDefault(row, new TreeMap<>()).get(version);
    }

    Iterable<RowKey> rows() {
        return versions.keySet();
    }

    Outcome outcome(long version) {
        return outcomes.getOrDefault(
                version, new Outcome.Aborted(Outcome.Reason.ERROR, "there is no such transaction"));
    }

    int transactions() {
        return outcomes.size();
    }

    /** Of all below a count. */
    long digest(long count) {
        return digests.get((int) count);
    }
}
