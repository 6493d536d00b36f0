/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is known here of a table that is enabled: since when, what its replicas say of it, what is in doubt. */
final class TrackedTable {
    /**
     * What a peer said of a table, in which of its lives, and which request of this life for a stream it had heard by
     * then.
     */
    record Reported(long incarnation, long asked, Message.TableReport report) {}

    /** Since when it is tracked here, or its baseline is known: nobody reads it at older cuts. */
    long sinceMicros;

    boolean baseline;

    /** Whether it begins anew after a move, and its baseline is not known yet. */
    boolean moved;

    /** Whether this node goes by another name of it now. */
    boolean left;

    /** For all groups of this node; as the journal has it. */
    boolean ready;

    /** The groups found ready since the start. */
    final Set<ReplicaGroup> readyGroups = new HashSet<>();

    final Map<NodeId, Reported> reports = new HashMap<>();

    /** Reads use cuts no older than this. */
    long floorMicros;

    /** Streams with smaller numbers do not count for this table: they began before it was tracked. */
    long streamsSince;

    /** Whether data came in unannounced, and what came with it is not yet known. */
    boolean foreignData;

    /** How many times data is coming in right now. */
    int foreignDataComing;

    TrackedTable(long sinceMicros, boolean baseline, boolean ready) {
        this.sinceMicros = sinceMicros;
        this.floorMicros = sinceMicros;
        this.baseline = baseline;
        this.ready = ready;
    }

    /** A report from an earlier life can come late. */
    static Reported latest(Reported known, Reported news) {
        boolean earlier = news.incarnation() < known.incarnation()
                || (news.incarnation() == known.incarnation() && news.asked() < known.asked());
        return earlier ? known : news;
    }

    /** @return whether it was new */
    boolean learn(NodeId from, Reported reported) {
        boolean news = !reported.equals(reports.get(from));
        reports.merge(from, reported, TrackedTable::latest);
        floorMicros = Math.max(floorMicros, reported.report().sinceMicros());
        return news;
    }
}
