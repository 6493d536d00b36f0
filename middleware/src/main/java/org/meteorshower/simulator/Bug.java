/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

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
    /** A write counts as done when w replicas have received it, before they stamped it. */
    ACKNOWLEDGED_BEFORE_APPLIED,
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
    /** A status message promises 20 ms more than its sender's clock says. */
    PROMISE_FORGED,
    /** A client repeats a write with a new timestamp, and takes the two for one. */
    RETRIED_AS_ANOTHER_WRITE,
    /** Some reads take the newest of what two stores hold, as QUORUM does. */
    QUORUM_READ
}
