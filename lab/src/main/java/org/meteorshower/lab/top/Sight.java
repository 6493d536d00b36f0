/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One node as it is shown: what it told, compared with what it told before; or why it did not tell. Immutable.
 *
 * @param error null where it told
 * @param figures null where it did not
 */
record Sight(
        Target target, @Nullable String error, @Nullable Figures figures) {

    /**
     * Rates are per second since the reading before, NaN where there is none, as shares are where nothing happened.
     *
     * @param localShare of the reads served: at once, by this node
     * @param now what the node told
     */
    record Figures(
            double reads,
            double localShare,
            double waitedShare,
            double forwardedShare,
            double writes,
            double unknown,
            double refused,
            Map<String, Double> readsByTable,
            Map<String, Double> writesByTable,
            Map<String, TransactionRates> transactionsByKind,
            Reading now) {}

    static Sight silent(Target target, String error) {
        return new Sight(target, error, null);
    }

    /** @param before null where there is none, or where the node has started since */
    static Sight of(Target target, @Nullable Reading before, Reading now) {
        Reading since = before == null || startedSince(before, now) ? null : before;
        double seconds = since == null ? Double.NaN : Math.max(1, now.nanos() - since.nanos()) / 1e9;
        Total change = new Total();
        Map<String, Double> readsByTable = new TreeMap<>();
        now.reads().forEach((table, reads) -> {
            Reading.Reads was = since == null ? null : since.reads().get(table);
            readsByTable.put(table, (reads.served() - (was == null ? 0 : was.served())) / seconds);
            change.add(reads, was);
        });
        Map<String, Double> writesByTable = new TreeMap<>();
        long[] written = new long[2];
        now.writes().forEach((table, writes) -> {
            Reading.Writes was = since == null ? null : since.writes().get(table);
            long acknowledged = writes.acknowledged() - (was == null ? 0 : was.acknowledged());
            writesByTable.put(table, acknowledged / seconds);
            written[0] += acknowledged;
            written[1] += writes.unknown() - (was == null ? 0 : was.unknown());
        });
        return new Sight(
                target,
                null,
                new Figures(
                        change.served / seconds,
                        since == null ? Double.NaN : change.local / change.served,
                        since == null ? Double.NaN : change.waited / change.served,
                        since == null ? Double.NaN : change.forwarded / change.served,
                        written[0] / seconds,
                        written[1] / seconds,
                        since == null ? Double.NaN : Math.max(0, now.refused() - since.refused()) / seconds,
                        readsByTable,
                        writesByTable,
                        TransactionRates.of(since == null ? null : since.transactions(), now.transactions(), seconds),
                        now));
    }

    private static boolean startedSince(Reading before, Reading now) {
        return !Objects.equals(before.node().get("incarnation"), now.node().get("incarnation"));
    }

    private static final class Total {
        double served;
        double local;
        double waited;
        double forwarded;

        void add(Reading.Reads reads, Reading.@Nullable Reads was) {
            served += reads.served() - (was == null ? 0 : was.served());
            local += reads.local() + reads.older() - (was == null ? 0 : was.local() + was.older());
            waited += reads.waited() + reads.pulled() - (was == null ? 0 : was.waited() + was.pulled());
            forwarded += reads.forwarded() - (was == null ? 0 : was.forwarded());
        }
    }

    /** The largest lag of a peer, or null where none is known. */
    static @Nullable Long longestLagMicros(Reading reading) {
        return reading.peers().stream()
                .map(Reading.Peer::lagMicros)
                .filter(Objects::nonNull)
                .max(Long::compare)
                .orElse(null);
    }

    /** The skew that is furthest from 0, or null where none is known. */
    static @Nullable Long largestSkewMicros(Reading reading) {
        return reading.peers().stream()
                .map(Reading.Peer::skewMicros)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Math::abs))
                .orElse(null);
    }
}
