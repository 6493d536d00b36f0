/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

/** Why a request was refused, or not known to be done. docs/OPERATE.md says what to do about each. */
public enum RefusalCause {
    /** The deadline passed; too few replicas were heard, or the row stayed in flight. */
    TIMED_OUT,
    /** A write of which it is not known by its deadline whether it was applied: it may be, or may become so later. */
    UNKNOWN,
    /** Too much waits already, or is in flight. */
    OVERLOADED,
    /** The mode needs clocks that agree, and they do not. */
    CLOCK,
    /** The session token is forged, or further ahead than any clock can be; or the mode makes no sense. */
    BAD_TOKEN,
    /** The node asked is no replica of the partition. */
    NOT_A_REPLICA,
    /** The table is not served yet, or not again yet. */
    NOT_READY,
    /** The node is joining, or has left. */
    NOT_ON_RING,
    /** The table was changed into one that cannot be served. */
    UNSERVABLE,
    /** The plugin has stopped on the node. */
    STOPPED,
    /** A statement that enabled tables, or transactions, do not take. */
    STATEMENT,
    /** A transaction that found no majority of data centres, or no leader, in time. */
    NOT_PROPOSED,
    /** A snapshot read whose token was not reached here in time. */
    BEHIND,
    /** A transaction that takes more than anything is taken. */
    TOO_LARGE
}
