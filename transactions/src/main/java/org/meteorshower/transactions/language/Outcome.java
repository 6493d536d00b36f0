/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;

/** What became of a submission, the same in every data centre. "We do not know" is none of these. */
public sealed interface Outcome {
    /** It happened. {@code values} are what it returned. */
    record Committed(List<Value> values) implements Outcome {
        public Committed {
            values = List.copyOf(values);
        }
    }

    /**
     * It did not happen, and under this sequence number it never will. For SESSION_EXPIRED and NUMBER_FORGOTTEN this is
     * said of this attempt only: whether an earlier one ran is not known any more, so who has made one must go on
     * taking it for unknown.
     */
    record Aborted(Reason reason, String detail) implements Outcome {}

    /** Why. */
    enum Reason {
        /** An assert did not hold. */
        ASSERT,
        /** The transaction makes no sense of what it met, such as a sum of texts. */
        ERROR,
        /** Its session was never opened, or has expired. Whether it ran before that is not known any more. */
        SESSION_EXPIRED,
        /** Its number is so old that its result, if it had one, is forgotten. */
        NUMBER_FORGOTTEN,
        /** Somebody asked what became of it before it ran, so that it never will. */
        DEAD
    }
}
