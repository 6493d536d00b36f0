/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Locale;

/**
 * Mistakes that whoever embeds the protocol core could make; a simulation makes one on purpose, to show that the
 * verifiers find it. The core itself has no such switches.
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
    /**
     * A crash loses from the journal what was stamped more than a second before: what may be in the journal alone by
     * then.
     */
    SPILL_LOST,
    /** What is read back from the journal is another mutation's content. */
    READ_FROM_THE_WRONG_PLACE,
    /** A restarted node does not remember its ceiling, and its clock is slow. */
    CEILING_LOST,
    /** Reads return what the store holds, whatever the protocol puts over it. */
    OVERLAY_IGNORED,
    /** The core is told that a mutation is in the store before it is. */
    APPLIED_TOO_EARLY,
    /** A read's answer is taken without asking whether something entered the rows meanwhile. */
    READ_UNCONFIRMED,
    /** The same, of a read that takes no step. */
    REST_NOT_CONFIRMED,
    /** Replicas copy rows from each other, and nobody tells the core. */
    REPAIR_UNANNOUNCED,
    /** A node that restarts does not remember that data came in which nobody had announced. */
    FOREIGN_DATA_FORGOTTEN,
    /** A node that was left behind says that it is filled, and nothing was brought to it. */
    FILLED_WITH_NOTHING,
    /** The stream for a node that was left behind does not say that something is missing before it. */
    BEHIND_NOT_SAID,
    /** A status message promises 20 ms more than its sender's clock says. */
    PROMISE_FORGED,
    /** A client repeats a write with a new timestamp, and takes the two for one. */
    RETRIED_AS_ANOTHER_WRITE,
    /** A mutation that is sent again to a replica which lacks it gets a timestamp of today. */
    SETTLED_AS_NEW,
    /** Some reads take the newest of what two stores hold, as QUORUM does. */
    QUORUM_READ,
    /** An epoch is named by the ring alone: when the ring is as it was, so is the name. */
    EPOCH_NAMED_BY_RING_ALONE,
    /** A table keeps its name when its partitions move: stamps of the old epoch count in the new one. */
    ONE_NAME_FOR_ALL_EPOCHS,
    /** A node that follows the new epoch goes on serving reads under the old name. */
    OLD_EPOCH_SERVED,
    /** Reads that were under way when the node began to follow the new epoch are served under the old name. */
    LEFT_NAME_STILL_READ,
    /**
     * A node that follows the new epoch forgets at once what it knew under the old name. Costs time only: its peers
     * hear of it.
     */
    OLD_NAME_FORGOTTEN_AT_ONCE,
    /** The baseline of a new epoch is confirmed without the repair. */
    BASELINE_WITHOUT_REPAIR,
    /** A repair by reads has ended though no replica has taken what it lacked. */
    REPAIR_READ_UNTAKEN,
    /** The repair may be of another ring than the one that the epoch is about. */
    REPAIRED_BY_ANOTHER_RING,
    /** A node that restarts after partitions have moved forgets what its journal promises under an earlier name. */
    MOVED_JOURNAL_FORGOTTEN,
    /** The next change of the ring comes before the table is served, and too few are left of a partition's replicas. */
    OPERATOR_IN_A_HURRY,
    /** A node takes data from one that is no replica in its epoch for a replica's. */
    STRANGERS_TRUSTED,
    /**
     * A node that follows the new epoch still tells one what it has applied that is off the ring and may not know that.
     */
    OUSTED_STILL_TOLD,
    /** The same where it shares a table with that one which has not gone over yet. */
    OUSTED_STILL_TOLD_OF_ANOTHER,
    /** A node that has disabled a table goes on with it as with an ordinary one before the others have given it up. */
    DISABLED_WITHOUT_WAIT,
    /** A node that restarts while a table is being disabled does not wait for the others. */
    ENDING_FORGOTTEN_IN_RESTART,
    /** A node waits for the last name of a table that it disabled, and not for earlier ones that somebody may serve. */
    ONE_ENDING_AT_A_TIME,
    /** What Cassandra answers by itself is passed on though the table was enabled meanwhile. */
    ORDINARY_ANSWER_LATE,
    /** What Cassandra answers while a table is brought together is passed on though it was closed meanwhile. */
    PLAIN_ANSWER_LATE,
    /** A node that may have followed the table in an earlier life reads it plainly all the same. */
    LIVE_AGAIN,
    /**
     * A write is acknowledged by its stamps alone, and not by what Cassandra waits for besides: stores that have it.
     */
    STORES_NOT_AWAITED,
    /** A status message answers a request before the store has its mutation: when it is stamped. */
    RECEIPT_BEFORE_STORED,
    /** No token comes with what Cassandra answers by itself. */
    ORDINARY_ANSWER_WITHOUT_TOKEN,
    /** Of a scan what the store said counts of all partitions, those written meanwhile among them. */
    STIRRED_NOT_REREAD,
    /** Nodes that scan together read each at the cut that it gave itself. */
    SCAN_AT_SEVERAL_CUTS,
    /** The driver carries some effects out twice. */
    EFFECT_TWICE,
    /** The driver carries the effects of a step out in the reverse order. */
    EFFECTS_REVERSED,
    /** The driver goes on before the journal has what it is to keep, which is written some entries later. */
    JOURNAL_LATE,
    /**
     * The driver tells the core of a mutation for which the journal has no room, drops what follows from it, and
     * refuses it.
     */
    TAKEN_AND_REFUSED,
    /** The driver goes on where the journal could not be written. */
    GOES_ON_AFTER_FAILURE;

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
