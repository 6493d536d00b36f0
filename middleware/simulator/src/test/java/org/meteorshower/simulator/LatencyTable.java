/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** Prints what reads take in calm runs between Europe, the United States and Asia; milliseconds p50/p90/p99/p99.9. */
final class LatencyTable {
    private LatencyTable() {}

    static final Workload HOT = new Workload(4, 1, 1, 24, 20_000, 0.5, 0, 0, 0, 0, false);
    static final Workload COLD = new Workload(1_000, 1, 1, 24, 20_000, 0.95, 0, 0, 0, 0, false);
    static final Workload ZIPF = new Workload(1_000, 1, 1, 24, 20_000, 0.5, 0, 0, 0, 0, true);

    static Settings settings(boolean history, boolean lead) {
        Settings d = Settings.DEFAULTS;
        return new Settings(
                d.dispatchIntervalMicros(),
                d.restIntervalMicros(),
                d.minFlushMicros(),
                d.redundancy(),
                d.resendWindow(),
                d.reorderWindow(),
                d.clockErrorMicros(),
                d.watchClocks(),
                d.maxAheadMicros(),
                d.ceilingStepMicros(),
                lead,
                history,
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                d.maxRecords(),
                d.recordsBytes(),
                d.maxWaitingReads(),
                d.announcementsPerMessage(),
                d.leaseIdleMicros());
    }

    static SimulationResult measure(Workload workload, ReadMode mode, Settings settings) {
        SimulationPlan plan =
                Plans.wide(1).withWorkload(workload).withModes(mode).withSettings(settings);
        return Simulation.run(plan, OperationSink.NOBODY);
    }

    private static String row(String name, ReadMode mode, Settings settings) {
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-24s", name));
        for (Workload workload : new Workload[] {HOT, COLD, ZIPF}) {
            SimulationResult result = measure(workload, mode, settings);
            Map<Object, Integer> served = new TreeMap<>(result.served());
            row.append(String.format(
                    Locale.ROOT,
                    " | %.1f/%.1f/%.1f/%.1f  writes %.0f/%.0f %s",
                    result.readMillis(0.5),
                    result.readMillis(0.9),
                    result.readMillis(0.99),
                    result.readMillis(0.999),
                    result.writeMillis(0.5),
                    result.writeMillis(0.99),
                    served));
        }
        return row.toString();
    }

    public static void main(String[] args) {
        System.out.println("reads | 4 rows 50/50 | 1,000 rows 5 % writes | Zipf 1,000 rows 50/50");
        System.out.println(row("cut", ReadMode.SEQUENTIAL, settings(false, false)));
        System.out.println(row("cut + history", ReadMode.SEQUENTIAL, settings(true, false)));
        System.out.println(row("cut + history + lead", ReadMode.SEQUENTIAL, settings(true, true)));
        System.out.println(row("MeteorShower1", ReadMode.METEORSHOWER1, settings(true, true)));
        System.out.println(row("MeteorShower2", ReadMode.METEORSHOWER2, settings(true, true)));
        System.out.println(row("strict", ReadMode.STRICT, settings(true, true)));
    }
}
