/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one run gave.
 *
 * @param operations in the order in which they ended
 * @param violation what the omniscient verifier found; null where it found nothing
 * @param audit what the cores' own comparison of digests found; null where it found nothing
 * @param stall what had not come about in time after all faults had healed; null where everything had
 * @param entries in the agreed order
 */
record SimulationResult(
        List<Finished> operations,
        @Nullable String violation,
        @Nullable String audit,
        @Nullable String stall,
        long entries,
        long steps,
        long simulatedMicros,
        long settledAfterMicros,
        Map<String, Integer> alarms) {

    /** An operation of a client, begun at its data centre. */
    record Finished(int client, int dc, Operation operation) {}

    long count(Operation.Status status) {
        return operations.stream()
                .filter(finished -> finished.operation().status == status)
                .count();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d operations (%d done, %d failed, %d unknown), %d entries, %.1f s simulated, %d steps, settled %.1f s after the"
                        + " last fault, %s",
                operations.size(),
                count(Operation.Status.OK),
                count(Operation.Status.FAILED),
                count(Operation.Status.UNKNOWN),
                entries,
                simulatedMicros / 1e6,
                steps,
                settledAfterMicros / 1e6,
                new TreeMap<>(alarms));
    }
}
