/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * The entries of the native protocol's custom payload (version 4 and later) that a client and a
 * MeteorShower coordinator exchange. Numbers are 8 bytes, big-endian, in microseconds.
 */
public final class PayloadKeys {

    /**
     * Request: the session's token, opaque, empty at a session's start. Response: the session's new
     * token. See {@link SessionToken}.
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

    private PayloadKeys() {}
}
