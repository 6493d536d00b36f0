/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.metrics.RefusalCause;
import org.meteorshower.cassandra.metrics.Refused;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Turns the middleware's refusals into the errors that drivers know. In each case but {@linkplain #unknown one} nothing
 * has happened.
 */
final class Refusal {
    private Refusal() {}

    static RuntimeException of(RequestRefusedException refused, ConsistencyLevel level, int required) {
        String text = "MeteorShower: " + refused.getMessage();
        return switch (refused.failure()) {
            case TIMED_OUT -> new Timeout(level, required, text);
            case CUT_GONE ->
                new Overloaded("MeteorShower: the scan was begun anew several times, and its cut was lost each time: "
                        + refused.getMessage() + ". Ask for smaller pages or ranges, or retry later.");
            case OVERLOADED -> new Overloaded(text + " Retry later.");
            case CLOCK -> new Unavailable(RefusalCause.CLOCK, text, level, required);
            case NOT_READY -> new Unavailable(RefusalCause.NOT_READY, text, level, required);
            case NOT_A_REPLICA -> new Unavailable(RefusalCause.NOT_A_REPLICA, text, level, required);
            case BAD_TOKEN -> new Invalid(RefusalCause.BAD_TOKEN, text);
        };
    }

    /**
     * It is not known whether the write was applied.
     *
     * @param why what keeps it from being acknowledged
     */
    static WriteTimeoutException unknown(WriteType type, ConsistencyLevel level, int required, String why) {
        return new Unknown(type, level, Math.max(0, required - 1), required, why);
    }

    /** The same, where Cassandra's own part of the write did not end; drivers' retries go by what that says. */
    static WriteTimeoutException unknown(WriteTimeoutException own) {
        return new Unknown(
                own.writeType,
                own.consistency,
                own.received,
                own.blockFor,
                "Cassandra's own part of it did not end (" + own.getMessage() + ")");
    }

    private static String textOfUnknown(String why) {
        return "MeteorShower: by its deadline it is not known whether the write was applied: " + why
                + ". It may be, or become so later: write it again, or read what is there.";
    }

    static OverloadedException overloaded(String reason) {
        return new Overloaded("MeteorShower: " + reason + ". Nothing was written. Retry later.");
    }

    static InvalidRequestException refused(String reason) {
        return new Invalid(RefusalCause.STATEMENT, "MeteorShower: " + reason);
    }

    /** What was asked for takes MeteorShower, which is not up. */
    static InvalidRequestException notRunning() {
        return refused("the table is enabled, and MeteorShower is not running on this node. It starts with the"
                + " node: see the node's log for why it did not, and that the -javaagent option is there.");
    }

    /** The payload's token or mode is none. */
    static InvalidRequestException badSession(String reason) {
        return new Invalid(RefusalCause.BAD_TOKEN, "MeteorShower: " + reason);
    }

    /** The table is on its way into transactions, and what that waits for takes long. */
    static OverloadedException closed(TableMetadata table) {
        return overloaded(table + " is about to take part in transactions, and waits for a node (its state in"
                + " meteorshower.tables names it)");
    }

    /** It takes part since the statement was parsed. */
    static OverloadedException letIn(TableMetadata table) {
        return overloaded(table + " takes part in transactions since this moment");
    }

    /** This node does not follow the table yet, or its ring is not the one that the others go by. */
    static RequestExecutionException notFollowed(TableMetadata table, ConsistencyLevel level) {
        return new Unavailable(
                RefusalCause.NOT_READY,
                "MeteorShower: " + table + " is enabled, and this node has not caught up with that, or with a change of"
                        + " the ring, yet. Retry in a few seconds; if it stays so, compare nodetool status on all nodes.",
                level,
                1);
    }

    /** The table was disabled here, and the others have not said yet that they know. */
    static RequestExecutionException ending(TableMetadata table, ConsistencyLevel level) {
        return new Unavailable(
                RefusalCause.NOT_READY,
                "MeteorShower: " + table
                        + " was disabled, and this node has not heard yet from a majority of its replicas that they"
                        + " know. Retry; if it stays so, see which nodes are down or cut off (nodetool status), or read at ONE.",
                level,
                1);
    }

    /**
     * Cassandra wrote the table as an ordinary one, and it was enabled before the answer: the new epoch's order may not
     * show the write yet.
     */
    static RequestExecutionException enabledMeanwhile(ConsistencyLevel level) {
        return unknown(WriteType.SIMPLE, level, 1, "the table was enabled while it was written");
    }

    static RequestExecutionException notOnRing(ConsistencyLevel level) {
        return new Unavailable(
                RefusalCause.NOT_ON_RING,
                "MeteorShower: this node has no place on the ring: it is joining or has left. Use another one.",
                level,
                1);
    }

    /** The table was changed, in a way that got past the check, into one that cannot be served. */
    static InvalidRequestException unservable(TableMetadata table, String obstacle) {
        return new Invalid(
                RefusalCause.UNSERVABLE,
                "MeteorShower: " + table + " is enabled and cannot be served, because it " + obstacle
                        + ". Or disable it (DELETE FROM meteorshower.tables WHERE ...).");
    }

    static RequestExecutionException stopped(StoppedException stopped, ConsistencyLevel level) {
        return new Unavailable(
                RefusalCause.STOPPED,
                "MeteorShower has stopped on this node until it is restarted: " + stopped.getMessage(),
                level,
                1);
    }

    /** A read timeout that says why. */
    private static final class Timeout extends ReadTimeoutException implements Refused {
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

        @Override
        public RefusalCause cause() {
            return RefusalCause.TIMED_OUT;
        }
    }

    /** A write timeout that says why. */
    private static final class Unknown extends WriteTimeoutException implements Refused {
        private static final long serialVersionUID = 1L;

        Unknown(WriteType type, ConsistencyLevel level, int received, int required, String why) {
            super(type, level, received, required, textOfUnknown(why));
        }

        @Override
        public RefusalCause cause() {
            return RefusalCause.UNKNOWN;
        }
    }

    private static final class Overloaded extends OverloadedException implements Refused {
        private static final long serialVersionUID = 1L;

        Overloaded(String text) {
            super(text);
        }

        @Override
        public RefusalCause cause() {
            return RefusalCause.OVERLOADED;
        }
    }

    private static final class Unavailable extends UnavailableException implements Refused {
        private static final long serialVersionUID = 1L;
        private final RefusalCause cause;

        Unavailable(RefusalCause cause, String text, ConsistencyLevel level, int required) {
            super(text, level, required, 0);
            this.cause = cause;
        }

        @Override
        public RefusalCause cause() {
            return cause;
        }
    }

    private static final class Invalid extends InvalidRequestException implements Refused {
        private static final long serialVersionUID = 1L;
        private final RefusalCause cause;

        Invalid(RefusalCause cause, String text) {
            super(text);
            this.cause = cause;
        }

        @Override
        public RefusalCause cause() {
            return cause;
        }
    }
}
