/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import org.meteorshower.lab.torture.StockRequest.Answer;

/**
 * Which errors of stock clients plain Cassandra would give as well during a fault: the coordinator itself is gone, or
 * has lost the majority. In doubt it would not.
 */
final class PlainToo {
    /** Until nodes have noticed that a link is back. */
    private static final long NOTICED_NANOS = 5_000_000_000L;

    private PlainToo() {}

    /** Whether the failure is of that kind. */
    static boolean would(StockRequest failed, FaultSpan span) {
        boolean struck = failed.dc().equals(span.fault().dc());
        if (struck && span.fault().kind().restartsNodes() && isCassandrasUnavailable(failed)) {
            return true;
        }
        return switch (span.fault().kind()) {
            // The coordinators that the clients there know end, or are left without an answer.
            case KILL, STOP, FULL_DISK, REPLACE, DECOMMISSION, DC_OUTAGE ->
                struck && failed.answer() == Answer.UNREACHABLE;
            case PAUSE -> struck && (failed.answer() == Answer.UNREACHABLE || failed.answer() == Answer.TIMED_OUT);
            // All coordinators end, one after the other.
            case ROLLING_RESTART, WITHOUT_PLUGIN, UPGRADE, OUTAGE -> failed.answer() == Answer.UNREACHABLE;
            // Coordinators without a majority.
            case CUT, MUTE -> struck && failed.startNanos() < span.undoneNanos() + NOTICED_NANOS;
            case SLOW, LOSS, CLOCK, SLOW_DISK, DISABLE, JOIN, ENABLE, RF, KILL_RUNNER, STOP_RUNNER, PAUSE_RUNNER ->
                false;
        };
    }

    /** A coordinator that has just started may not have heard of the other nodes yet. */
    private static boolean isCassandrasUnavailable(StockRequest failed) {
        return failed.error().equals("UnavailableException") && failed.reason().isEmpty();
    }

    /** Why, in words, for the end of a report. */
    static String why() {
        return "\"plain too\" are errors that plain Cassandra gives as well for that fault: the coordinator that a"
                + " client talks to was killed, stopped or taken away, is cut off from the majority, or has just"
                + " started and has not heard of it yet";
    }
}
