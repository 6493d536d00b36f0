/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a running cluster's network, by the names of its data centres and nodes. Names are checked, and an error
 * lists the ones there are. Thread-safe.
 */
public final class WanLinks {
    /** As far as the nodes take it: a day. */
    private static final double MAX_CLOCK_MILLIS = 86_400_000;

    private static final double MAX_DISK_MILLIS = 60_000;

    private final LocalCluster cluster;

    public WanLinks(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Sets what holds between two data centres; one way only, if told so. */
    public void set(
            String from, String to, double delayMillis, double jitterMillis, double lossFraction, boolean oneWay) {
        requireDc(from);
        requireDc(to);
        requireRange("a delay", delayMillis, DelayList.MAX_MILLIS, " ms");
        requireRange("jitter", jitterMillis, DelayList.MAX_MILLIS, " ms");
        requireRange("loss", lossFraction * 100, 100, " %");
        cluster.wan().change(matrix -> {
            WanMatrix there = matrix.withLink(from, to, delayMillis, jitterMillis, lossFraction);
            return oneWay ? there : there.withLink(to, from, delayMillis, jitterMillis, lossFraction);
        });
    }

    /** Cuts a data centre from another, or from all others; one way stops only what the first one sends. */
    public void cut(String dc, @Nullable String other, boolean oneWay) {
        requireDc(dc);
        if (other != null) {
            requireDc(other);
            if (other.equals(dc)) {
                throw new IllegalArgumentException("a data centre cannot be cut from itself: " + dc);
            }
        }
        cluster.wan().change(matrix -> {
            WanMatrix changed = matrix;
            for (String peer : other == null ? cluster.options().dcs() : List.of(other)) {
                if (!peer.equals(dc)) {
                    changed = changed.withCut(dc, peer, true);
                    changed = oneWay ? changed : changed.withCut(peer, dc, true);
                }
            }
            return changed;
        });
    }

    /** Joins all that was cut. */
    public void heal() {
        cluster.wan().change(WanMatrix::withoutCuts);
    }

    /** Sets a node's clock wrong, for the plugin, by so many milliseconds ahead. */
    public void clock(String node, double offsetMillis) {
        // By address: the node knows that of itself, its name here it does not.
        String address = cluster.node(node).address();
        requireRange("a clock offset, ahead or behind,", Math.abs(offsetMillis), MAX_CLOCK_MILLIS, " ms");
        cluster.wan().change(matrix -> matrix.withClock(address, offsetMillis));
    }

    /** Makes a node's disk slow, for the plugin's journal: each write takes so many milliseconds longer. */
    public void disk(String node, double pauseMillis) {
        String address = cluster.node(node).address();
        requireRange("a disk's pause", pauseMillis, MAX_DISK_MILLIS, " ms");
        cluster.wan().change(matrix -> matrix.withDisk(address, pauseMillis));
    }

    private void requireDc(String dc) {
        cluster.options().requireDc(dc);
    }

    private static void requireRange(String what, double value, double most, String unit) {
        if (!(value >= 0 && value <= most)) {
            throw new IllegalArgumentException(
                    what + " must be 0 to " + WanMatrix.plain(most) + unit + ", not " + value + unit);
        }
    }
}
