/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.meteorshower.protocol.Settings;

/** Settings other than the usual ones, which some plans run with. */
final class DrawnSettings {
    private static final long SHORT_IDLE_MICROS = 300_000;

    private DrawnSettings() {}

    /** Without lead and history, and with windows so small that streams start anew. */
    static Settings frugal() {
        Settings d = Settings.DEFAULTS;
        return of(d.dispatchIntervalMicros(), 0, 16, d.maxAheadMicros(), d.ceilingStepMicros(), false, 1_000_000, 8);
    }

    /** Few records fit: peers are left behind, and have to be repaired. */
    static Settings forgetful() {
        Settings d = Settings.DEFAULTS;
        return of(d.dispatchIntervalMicros(), 1, 512, d.maxAheadMicros(), d.ceilingStepMicros(), true, 40, 1_000);
    }

    /** A restart hardly moves a clock: else what came before it is far below all cuts that are used after it. */
    static Settings lowCeiling() {
        Settings d = Settings.DEFAULTS;
        return of(
                d.dispatchIntervalMicros(),
                d.redundancy(),
                d.resendWindow(),
                d.maxAheadMicros(),
                1_000,
                true,
                d.maxRecords(),
                d.announcementsPerMessage());
    }

    /** What misses a replica goes on missing it for seconds, unless a read waits for it. */
    static Settings slowToSettle() {
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
                d.lead(),
                d.history(),
                5_000_000,
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                d.maxRecords(),
                d.recordsBytes(),
                d.maxWaitingReads(),
                d.announcementsPerMessage(),
                d.leaseIdleMicros());
    }

    /** These, but for whether strict is withdrawn where clocks seem to differ. */
    static Settings watchingClocks(Settings s, boolean watchClocks) {
        return new Settings(
                s.dispatchIntervalMicros(),
                s.restIntervalMicros(),
                s.minFlushMicros(),
                s.redundancy(),
                s.resendWindow(),
                s.reorderWindow(),
                s.clockErrorMicros(),
                watchClocks,
                s.maxAheadMicros(),
                s.ceilingStepMicros(),
                s.lead(),
                s.history(),
                s.settleAfterMicros(),
                s.pullAfterMicros(),
                s.streamTimeoutMicros(),
                s.maxRecords(),
                s.recordsBytes(),
                s.maxWaitingReads(),
                s.announcementsPerMessage(),
                s.leaseIdleMicros());
    }

    /** These, but for how often status messages go out and how far a clock may be ahead. */
    static Settings withClocks(Settings s, long dispatchIntervalMicros, long maxAheadMicros) {
        return of(
                dispatchIntervalMicros,
                s.redundancy(),
                s.resendWindow(),
                maxAheadMicros,
                s.ceilingStepMicros(),
                s.lead(),
                s.maxRecords(),
                s.announcementsPerMessage());
    }

    private static Settings of(
            long dispatchIntervalMicros,
            int redundancy,
            int windows,
            long maxAheadMicros,
            long ceilingStepMicros,
            boolean leadAndHistory,
            int maxRecords,
            int announcementsPerMessage) {
        Settings d = Settings.DEFAULTS;
        return new Settings(
                dispatchIntervalMicros,
                d.restIntervalMicros(),
                d.minFlushMicros(),
                redundancy,
                windows,
                windows,
                d.clockErrorMicros(),
                d.watchClocks(),
                maxAheadMicros,
                ceilingStepMicros,
                leadAndHistory,
                leadAndHistory,
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                maxRecords,
                d.recordsBytes(),
                d.maxWaitingReads(),
                announcementsPerMessage,
                // In a third of the runs leases come and go.
                dispatchIntervalMicros % 3 == 0 ? SHORT_IDLE_MICROS : d.leaseIdleMicros());
    }
}
