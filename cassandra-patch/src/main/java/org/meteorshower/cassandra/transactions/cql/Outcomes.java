/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.meteorshower.cassandra.transactions.TransactionRunner.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.port.Answer;

/** What did not end well, as the errors that drivers know. */
final class Outcomes {
    private Outcomes() {}

    /** Whether nothing happened since a range has too many rows. */
    static boolean isTooLarge(Answer answer) {
        return answer instanceof Answer.Done done
                && done.outcome() instanceof Outcome.Aborted aborted
                && aborted.detail().equals(Range.TOO_LARGE);
    }

    /** Clients tell why by the word in brackets. */
    static RuntimeException aborted(Outcome.Aborted aborted) {
        String told = "the transaction was not carried out (" + aborted.reason() + "): ";
        if (aborted.detail().equals(Range.TOO_LARGE)) {
            return new RangeTooLargeException("MeteorShower: " + told + aborted.detail());
        }
        return switch (aborted.reason()) {
            case ERROR, ASSERT -> Errors.invalid(told + aborted.detail());
            case DEAD ->
                Errors.invalid(told + "somebody asked what had become of it before it ran, and now it never will");
            case SESSION_EXPIRED ->
                Errors.invalid(
                        told + "its session has expired, or never was. Open another one. If you have sent it before,"
                                + " what came of that is not known any more");
            case NUMBER_FORGOTTEN ->
                Errors.invalid(told + aborted.detail() + ", so what came of this one is not remembered. If you have not"
                        + " sent it before, take a number of its own for it");
        };
    }

    static RuntimeException refused(Answer.Refused refused, ConsistencyLevel level) {
        String text = "MeteorShower: the transaction was not carried out, and can be tried again: " + refused.detail();
        return switch (refused.refusal()) {
            case OVERLOADED -> new OverloadedException(text);
            case NOT_PROPOSED, NOT_READY -> new UnavailableException(text, level, 1, 0);
            case BEHIND -> new NotRead(level, text);
            case TOO_LARGE -> Errors.invalid("the transaction is too large: " + refused.detail());
        };
    }

    /** Of what has no result. */
    static RuntimeException notDone(Answer answer, Kind kind, ConsistencyLevel level) {
        if (answer instanceof Answer.ReadFailed failed) {
            return failed(failed);
        } else if (answer instanceof Answer.Refused refused) {
            return refused(refused, level);
        }
        String detail = answer instanceof Answer.Unknown unknown ? unknown.detail() : "it was answered by " + answer;
        return kind == Kind.WRITE ? unknown(detail) : notRead(detail, level);
    }

    static InvalidRequestException failed(Answer.ReadFailed failed) {
        return Errors.invalid("the transaction was not carried out: " + failed.detail());
    }

    /** It was only to read. */
    static RequestExecutionException notRead(String detail, ConsistencyLevel level) {
        return new NotRead(
                level, "MeteorShower: the transaction was not read in time, and can be tried again: " + detail);
    }

    /**
     * Whether it happened is not known. As a write timeout of type CAS: drivers neither repeat these by themselves nor
     * take them for done, as some do with timeouts of single writes and batches. Not a CasWriteTimeoutException: with
     * version 5 of the protocol that has two more bytes, which the Java driver (4.19) takes for its next answer; it
     * then closes the connection.
     */
    static RequestExecutionException unknown(String detail) {
        return new Unknown("MeteorShower: whether the transaction was, or will be, carried out is not known (" + detail
                + "). Read what it was to write before repeating it.");
    }

    /** Not known either, of what can be sent again as it is. */
    static RequestExecutionException repeatable(String what) {
        return new Unknown("MeteorShower: " + what);
    }

    private static final class Unknown extends WriteTimeoutException {
        private static final long serialVersionUID = 1L;
        private final String text;

        Unknown(String text) {
            super(WriteType.CAS, ConsistencyLevel.SERIAL, 0, 1);
            this.text = text;
        }

        @Override
        public String getMessage() {
            return text;
        }
    }

    private static final class NotRead extends ReadTimeoutException {
        private static final long serialVersionUID = 1L;
        private final String text;

        NotRead(ConsistencyLevel level, String text) {
            super(level, 0, 1, false);
            this.text = text;
        }

        @Override
        public String getMessage() {
            return text;
        }
    }
}
