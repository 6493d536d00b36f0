/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.runtime.ReadRefusedException;
import org.meteorshower.runtime.StoppedException;

/** Turns the middleware's refusals into the errors that drivers know. In each case nothing has happened. */
final class Refusal {
    private Refusal() {}

    static RuntimeException of(ReadRefusedException refused, ConsistencyLevel level, int required) {
        String text = "MeteorShower: " + refused.getMessage();
        return switch (refused.failure()) {
            case TIMED_OUT -> new Timeout(level, required, text);
            case OVERLOADED -> new OverloadedException(text + " Retry later.");
            case CLOCK, NOT_READY, NOT_A_REPLICA -> new UnavailableException(text, level, required, 0);
            case BAD_TOKEN -> new InvalidRequestException(text);
        };
    }

    static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }

    /** This node does not follow the table yet, or its ring is not the one that the others go by. */
    static RequestExecutionException notFollowed(TableMetadata table, ConsistencyLevel level) {
        return new UnavailableException(
                "MeteorShower: " + table + " is enabled, and this node has not caught up with that, or with a change of"
                        + " the ring, yet. Retry in a few seconds; if it stays so, compare nodetool status on all nodes.",
                level,
                1,
                0);
    }

    static RequestExecutionException notOnRing(ConsistencyLevel level) {
        return new UnavailableException(
                "MeteorShower: this node has no place on the ring: it is joining or has left. Use another one.",
                level,
                1,
                0);
    }

    /** The table was changed, in a way that got past the check, into one that cannot be served. */
    static InvalidRequestException unservable(TableMetadata table, String obstacle) {
        return refused(table + " is enabled and cannot be served, because it " + obstacle
                + ". Or disable it (DELETE FROM meteorshower.tables WHERE ...).");
    }

    static RequestExecutionException stopped(StoppedException stopped, ConsistencyLevel level) {
        return new UnavailableException(
                "MeteorShower has stopped on this node until it is restarted: " + stopped.getMessage(), level, 1, 0);
    }

    /** A read timeout that says why. */
    private static final class Timeout extends ReadTimeoutException {
        private static final long serialVersionUID = 1L;
        private final String text;

        Timeout(ConsistencyLevel level, int required, String text) {
            super(level, 0, required, false);
            this.text = text;
        }

        @Override
        public String getMessage() {
            return text;
        }
    }
}
