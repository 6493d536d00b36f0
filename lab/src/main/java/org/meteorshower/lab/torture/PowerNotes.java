/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is seen while a run goes on. For one thread. */
final class PowerNotes {
    final List<PowerSwitch.Done> cuts = new ArrayList<>();
    private final Set<Integer> known = new HashSet<>();
    /** Rows that were acknowledged and are not there, in words. */
    final List<String> lost = new ArrayList<>();
    /** Whatever else is wrong. */
    final List<String> wrong = new ArrayList<>();
    /** Of the lost ones, the longest time between the acknowledgement and the loss of power; 0 without any. */
    long oldestLostMillis;

    /** Whether the row was not noted yet; from now on it counts as noted. */
    boolean isNew(int row) {
        return known.add(row);
    }

    /**
     * Notes a row that is lost.
     *
     * @param acknowledgedNanos when, by the clock of the run
     * @return what to say of it
     */
    String lost(int row, long acknowledgedNanos) {
        long millis = cuts.stream()
                .mapToLong(PowerSwitch.Done::nanos)
                .filter(nanos -> nanos >= acknowledgedNanos)
                .map(nanos -> (nanos - acknowledgedNanos) / 1_000_000)
                .min()
                .orElse(0);
        oldestLostMillis = Math.max(oldestLostMillis, millis);
        String line = "row " + row + ", acknowledged " + millis + " ms before the power went";
        lost.add(line);
        return line;
    }
}
