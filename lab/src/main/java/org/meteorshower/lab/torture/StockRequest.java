/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

/**
 * One request of a client that knows nothing of MeteorShower. Times in nanoseconds since the run began.
 *
 * @param dc the data centre of its coordinators
 * @param about which table
 * @param error the type of the error; empty where there was none
 * @param reason what the coordinator's MeteorShower said of it; empty where it had refused nothing
 */
record StockRequest(
        long startNanos,
        long endNanos,
        String dc,
        Subject about,
        boolean isRead,
        Answer answer,
        String error,
        String reason) {

    /** The tables of a run, as stock clients see them. */
    enum Subject {
        /** Served at cuts during the whole run. */
        SEQUENTIAL,
        /** Enabled while it is used. */
        LIVE,
        /** Never enabled: what the same faults do to Cassandra's own QUORUM, on the same machine at the same time. */
        ORDINARY
    }

    /** What came of it. */
    enum Answer {
        /** Served by MeteorShower: a read without a wait, or a write. */
        LOCAL,
        /** A read served by MeteorShower that waited. */
        WAITED,
        /** A read served by MeteorShower at another node. */
        FORWARDED,
        /** Cassandra's own answer. */
        PLAIN,
        /** It succeeded, and the client did not ask to be told by whom. */
        UNTOLD,
        /** An error that says no. */
        REFUSED,
        TIMED_OUT,
        /** Nobody to ask, or the connection was lost. */
        UNREACHABLE;

        boolean isFailure() {
            return this == REFUSED || this == TIMED_OUT || this == UNREACHABLE;
        }

        /** Whether the table was served as enabled tables are. */
        boolean isServed() {
            return this == LOCAL || this == WAITED || this == FORWARDED;
        }
    }

    double millis() {
        return (endNanos - startNanos) / 1e6;
    }
}
