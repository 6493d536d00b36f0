/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A replica of the published algorithm: what it has applied, and what its peers' last status messages said. */
final class PublishedReplica {
    final int number;
    private final MajorityValue rule;
    private final long thetaMicros;
    private final Set<Long> received = new HashSet<>();
    private final long[] newest;

    /** The statusMap: per peer and row the largest version that it reported, and how fresh that is. */
    private final long[][] reported;

    private final long[] msgTsMicros;

    /** The readSubscriptionMap. Each tells whether it is done with. */
    private final List<BooleanSupplier> waiting = new ArrayList<>();

    private long lastVersion;

    /** @param thetaMicros θ: a read begun at T counts status messages sent after T - θ */
    PublishedReplica(int number, int replicas, int rows, MajorityValue rule, long thetaMicros) {
        this.number = number;
        this.rule = rule;
        this.thetaMicros = thetaMicros;
        this.newest = new long[rows];
        this.reported = new long[replicas][rows];
        this.msgTsMicros = new long[replicas];
        Arrays.fill(msgTsMicros, Long.MIN_VALUE / 2);
    }

    /** By the clock, and no two alike. */
    long nextVersion(long nowMicros) {
        lastVersion = Math.max(nowMicros * 4 + number, lastVersion + 4);
        return lastVersion;
    }

    void apply(int row, long version) {
        received.add(version);
        newest[row] = Math.max(newest[row], version);
        wake();
    }

    /** What the next status message says. */
    long[] payload() {
        return newest.clone();
    }

    void heard(int from, long[] payload, long sentMicros) {
        reported[from] = payload;
        msgTsMicros[from] = sentMicros;
        wake();
    }

    /** Asked again whenever this replica has learned something, until it is done with. */
    void waits(BooleanSupplier read) {
        waiting.add(read);
    }

    private void wake() {
        waiting.removeIf(BooleanSupplier::getAsBoolean);
    }

    /**
     * What a read begun at T returns, 0 for nothing, or null where it has to wait for a status message or the mutation.
     */
    @Nullable
    Long decide(int row, long beganMicros) {
        long[] versions = new long[reported.length];
        int valid = 0;
        for (int replica = 0; replica < reported.length; replica++) {
            if (isFresh(replica, beganMicros)) {
                versions[valid++] = versionAt(replica, row);
            }
        }
        Long agreed = rule.among(Arrays.copyOf(versions, valid));
        return agreed == null || agreed == 0 || received.contains(agreed) ? agreed : null;
    }

    private boolean isFresh(int replica, long beganMicros) {
        return replica == number || msgTsMicros[replica] + thetaMicros > beganMicros;
    }

    private long versionAt(int replica, int row) {
        return replica == number ? newest[row] : reported[replica][row];
    }

    /** For people: what a decision rests on. */
    String describe(int row, long beganMicros, long nowMicros) {
        StringBuilder text = new StringBuilder();
        for (int replica = 0; replica < reported.length; replica++) {
            boolean fresh = isFresh(replica, beganMicros);
            text.append(replica == 0 ? "" : ", ")
                    .append('n')
                    .append(replica)
                    .append(' ')
                    .append(fresh ? PublishedAlgorithm.name(row, versionAt(replica, row)) : "not heard in time");
            if (fresh && replica != number) {
                text.append(" (")
                        .append((nowMicros - msgTsMicros[replica]) / 1_000)
                        .append(" ms old)");
            }
        }
        return text.toString();
    }
}
