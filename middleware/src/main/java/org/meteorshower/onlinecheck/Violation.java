/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;

/**
 * A counterexample: something that cannot be where the protocol keeps its promise.
 *
 * @param key null where it is about no single partition
 * @param text what was seen, complete enough to be looked into
 */
public record Violation(Kind kind, @Nullable PartitionKey key, String text) {
    /** What is wrong. */
    public enum Kind {
        /** A read does not show a write that is visible at its cut, nor a later one. */
        MISSING_WRITE,
        /** A read shows a write that is not visible yet at its cut. */
        SHOWN_TOO_EARLY,
        /** Of two reads of a cell the one at the later cut shows the older version. */
        WENT_BACK,
        /** A read was answered at a cut below its session's token. */
        BELOW_TOKEN,
        /** A write was acknowledged with a token at which it is not visible. */
        ACKNOWLEDGED_TOO_EARLY,
        /** A write's timestamp is not above its session's token. */
        NOT_ABOVE_TOKEN,
        /** A replica stamped a mutation below its timestamp. */
        STAMPED_BELOW_TIMESTAMP,
        /** A replica stamped a mutation at or below what it had promised to have told all of. */
        PROMISE_BROKEN
    }
}
