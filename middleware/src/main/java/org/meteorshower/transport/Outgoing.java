/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/** What waits at a {@link PeerLink} for its connection. Immutable by agreement. */
final class Outgoing {
    static final int OVERHEAD_BYTES = 64;

    final int type;
    final byte[] content;

    /** Of connections by which it may go. */
    final WireVersions versions;

    Outgoing(int type, byte[] content, WireVersions versions) {
        this.type = type;
        this.content = content;
        this.versions = versions;
    }

    /** What it takes here. */
    int held() {
        return content.length + OVERHEAD_BYTES;
    }
}
