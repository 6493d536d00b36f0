/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * The entries of the native protocol's custom payload (version 4 and later) that a client and a MeteorShower
 * coordinator exchange. Numbers are 8 bytes, big-endian, in microseconds.
 */
public final class PayloadKeys {

    /**
     * Request: the session's token, opaque, empty at a session's start. Response: the session's new token. See
     * {@link SessionToken}.
     */
    public static final String TOKEN = "meteorshower.token";

    /** Request: the mode as UTF-8 text, see {@link ReadMode#text()}. Left out it means sequential. */
    public static final String MODE = "meteorshower.mode";

    /** Response to a read: how it was served, UTF-8 text, see {@link Served}. */
    public static final String SERVED = "meteorshower.served";

    /** Response to a read: the cut it was served at, a hybrid logical time. */
    public static final String CUT = "meteorshower.cut";

    /** Response to a read: how far the cut lay behind the coordinator's clock, never negative. */
    public static final String STALENESS = "meteorshower.staleness";

    /** Response to a write: its Cassandra write timestamp, given by the coordinator. */
    public static final String TIMESTAMP = "meteorshower.timestamp";

    /**
     * Both ways: what the session has seen of transactions, a part for each group of data centres; left out while it is
     * nothing. See {@link SessionToken}.
     */
    public static final String TRANSACTIONS_TOKEN = "meteorshower.transactions.token";

    /**
     * Request of a transaction that only reads: {@code snapshot} or {@code strict}, as UTF-8 text. Left out: strict.
     */
    public static final String TRANSACTIONS_MODE = "meteorshower.transactions.mode";

    /** Request: the session at the cluster in which a transaction has its number, UTF-8 text. */
    public static final String TRANSACTIONS_SESSION = "meteorshower.transactions.session";

    /** Request: the transaction's number, from 1; under it, it runs at most once. */
    public static final String TRANSACTIONS_SEQUENCE = "meteorshower.transactions.sequence";

    /** Response to a transaction with a number: one byte, 1 if it came to an INSERT, UPDATE or DELETE, else 0. */
    public static final String TRANSACTIONS_APPLIED = "meteorshower.transactions.applied";

    /** Response to a snapshot: for how many microseconds nothing has been executed there. */
    public static final String TRANSACTIONS_STALENESS = "meteorshower.transactions.staleness";

    /**
     * Response: one byte, where Cassandra answered on its own path: {@link #FOR_A_WHILE}, or else the table is not
     * enabled, or the level keeps Cassandra's meaning. The token that comes with it makes later reads see no less.
     */
    public static final String PLAIN = "meteorshower.plain";

    /** {@link #PLAIN}: the table is enabled, and its replicas are being brought together, after which it is served. */
    public static final byte FOR_A_WHILE = 2;

    /** Response to a read: one byte, 1 where another node than the coordinator has served it, or some of it. */
    public static final String FORWARDED = "meteorshower.forwarded";

    private PayloadKeys() {}
}
