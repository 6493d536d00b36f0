/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Value;

/** What a client is told. */
public sealed interface Answer {
    /**
     * It has its place in the order, and this came of it.
     *
     * @param token a snapshot read with it sees this and everything before
     */
    record Done(Outcome outcome, long token) implements Answer {}

    /**
     * A snapshot read.
     *
     * @param token the count of merged entries that it saw
     * @param stalenessMicros for how long nothing has been executed here
     */
    record Snapshot(List<Value> values, long token, long stalenessMicros) implements Answer {
        public Snapshot {
            values = List.copyOf(values);
        }
    }

    /** A read that is none, or whose transaction makes no sense of what it met. */
    record ReadFailed(String detail) implements Answer {}

    /** It was not proposed and, asked for this once, never runs. It may be tried again, here or elsewhere. */
    record Refused(Refusal refusal, String detail) implements Answer {}

    /**
     * It may run at any time from its beginning on, or never. Resolve makes it definite; a retry under the same number
     * is safe.
     */
    record Unknown(String detail) implements Answer {}

    /** Why not. */
    enum Refusal {
        /** Too much is under way already. */
        OVERLOADED,
        /**
         * The deadline passed before it was proposed: no majority of data centres is heard, or the lane has no leader
         * here.
         */
        NOT_PROPOSED,
        /** The deadline of a snapshot read passed before its token's count was executed here. */
        BEHIND,
        /** This data centre is stopping or does not take part yet. */
        NOT_READY,
        /** It takes more bytes, or nests deeper, than anything that is taken. It need not be tried again. */
        TOO_LARGE
    }
}
