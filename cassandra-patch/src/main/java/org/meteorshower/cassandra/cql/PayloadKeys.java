/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

/**
 * The entries of the native protocol's custom payload that clients and this node exchange. Numbers are 8 bytes,
 * big-endian, in microseconds; words are UTF-8.
 */
final class PayloadKeys {
    /** Both ways: the session token, opaque to clients; empty in a session's first request. */
    static final String TOKEN = "meteorshower.token";

    /** Request: how fresh a read must be, or {@code strict} on a write. Left out it means sequential. */
    static final String MODE = "meteorshower.mode";

    /** Response to a read: local, older, waited or pulled. */
    static final String SERVED = "meteorshower.served";

    /** Response to a read: one byte, 1 where another node has served it, or some of it. */
    static final String FORWARDED = "meteorshower.forwarded";

    /** Response to a read: its cut. */
    static final String CUT = "meteorshower.cut";

    /** Response to a read: how far the cut lay behind the serving node's clock, at least 0. */
    static final String STALENESS = "meteorshower.staleness";

    /** Response to a write: its timestamp. */
    static final String TIMESTAMP = "meteorshower.timestamp";

    /** Response: one byte, where Cassandra answered on its own path, {@link #NOT_OURS} or {@link #FOR_A_WHILE}. */
    static final String PLAIN = "meteorshower.plain";

    /** The table is not enabled, or the statement's level keeps Cassandra's meaning. */
    static final byte NOT_OURS = 1;

    /** The table is enabled; its replicas are being brought together. */
    static final byte FOR_A_WHILE = 2;

    private PayloadKeys() {}
}
