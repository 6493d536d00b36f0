/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the machine did in one window of a second or so. Shares are of all processors, NaN where unknown. Immutable.
 *
 * @param loadAverage runnable threads over the last minute
 * @param stolenShare taken by other virtual machines
 * @param busyShare in use by whomever
 * @param clientShare in use by this process
 * @param nodesShare in use by the nodes
 * @param gcMillis pauses of this process's collector
 * @param hiccupMillis the longest that a thread which only sleeps overslept
 */
public record MachineSample(
        double loadAverage,
        double stolenShare,
        double busyShare,
        double clientShare,
        double nodesShare,
        long gcMillis,
        double hiccupMillis) {
    public static final double MOST_STOLEN = 0.02;
    public static final double MOST_FOREIGN = 0.10;
    public static final long MOST_GC_MILLIS = 20;
    public static final double MOST_HICCUP_MILLIS = 20;

    /** In use by neither client nor nodes. */
    public double foreignShare() {
        return Math.max(0, busyShare - stolenShare - clientShare - nodesShare);
    }

    /** Why what was measured then says less of the system than of the machine; empty: it does not. */
    public List<String> disturbances() {
        List<String> found = new ArrayList<>();
        if (stolenShare > MOST_STOLEN) {
            found.add(String.format(Locale.ROOT, "%.0f %% stolen", stolenShare * 100));
        }
        if (foreignShare() > MOST_FOREIGN) {
            found.add(String.format(Locale.ROOT, "%.0f %% used by others", foreignShare() * 100));
        }
        if (gcMillis > MOST_GC_MILLIS) {
            found.add("client collected garbage for " + gcMillis + " ms");
        }
        if (hiccupMillis > MOST_HICCUP_MILLIS) {
            found.add(String.format(Locale.ROOT, "a sleeper woke %.0f ms late", hiccupMillis));
        }
        return found;
    }

    public boolean isDisturbed() {
        return !disturbances().isEmpty();
    }
}
