/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Locale;

/**
 * One fault that happened. Times in nanoseconds since the run began.
 *
 * @param endNanos when it was undone and its nodes answered again
 * @param undoneNanos when it was undone: a restart begins here
 */
record FaultSpan(Fault fault, long startNanos, long undoneNanos, long endNanos) {
    /** As people say it. */
    String title() {
        return switch (fault.kind()) {
            case ROLLING_RESTART, UPGRADE, OUTAGE -> fault.kind().word();
            case LOSS -> String.format(Locale.ROOT, "loss of %.1f %% at %s", fault.amount() * 100, fault.dc());
            case CLOCK -> String.format(Locale.ROOT, "clock of %s %+.0f s", fault.dc(), fault.amount() / 1_000);
            case SLOW_DISK -> String.format(Locale.ROOT, "slow disk at %s, +%.1f ms", fault.dc(), fault.amount());
            default -> fault.kind().word() + " " + fault.dc();
        };
    }
}
