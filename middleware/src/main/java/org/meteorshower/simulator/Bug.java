/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Locale;

/**
 * Mistakes that whoever embeds the protocol core could make; a simulation makes one on purpose, to show that the verifiers
 * find it. The core itself has no such switches.
 */
public enum Bug {
    NONE,
    /** A session reads without its token. */
    READ_WITHOUT_TOKEN,
    /** A session does not keep the token that its write was given. */
    WRITE_TOKEN_DROPPED,
    /** A token that somebody made smaller on its way is taken for good. */
    TOKEN_NOT_AUTHENTICATED,
    /** A coordinator holds no token for clients that bring none. */
    COORDINATOR_TOKEN_MISSING,
    /** A write counts as done when w replicas have received it, before they stamped it. */
    ACKNOWLEDGED_BEFORE_APPLIED,
    /** A mutation is in the store before it is stamped and announced. */
    STAMPED_AFTER_APPLIED,
    /** A crash takes what was stamped, acknowledged and applied last. */
    APPLIED_LOST_IN_CRASH,
    /** A crash loses the journal. */
    JOURNAL_LOST,
    /** A restarted node does not remember its ceiling, and its clock is slow. */
    CEILING_LOST,
    /** Reads return what the store holds, whatever the protocol puts over it. */
    OVERLAY_IGNORED,
    /** The core is told that a mutation is in the store before it is. */
    APPLIED_TOO_EARLY,
    /** A read's answer is taken without asking whether something entered the rows meanwhile. */
    READ_UNCONFIRMED,
    /** Replicas copy rows from each other, and nobody tells the core. */
    REPAIR_UNANNOUNCED,
    /** A node that restarts does not remember that data came in which nobody had announced. */
    FOREIGN_DATA_FORGOTTEN,
    /** A status message promises 20 ms more than its sender's clock says. */
    PROMISE_FORGED,
    /** A client repeats a write with a new timestamp, and takes the two for one. */
    RETRIED_AS_ANOTHER_WRITE,
    /** A mutation that is sent again to a replica which lacks it gets a timestamp of today. */
    SETTLED_AS_NEW,
    /** Some reads take the newest of what two stores hold, as QUORUM does. */
    QUORUM_READ;

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
