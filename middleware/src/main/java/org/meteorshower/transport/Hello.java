/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * How a node introduces itself, at both ends of a connection.
 *
 * @param versions which versions of the messages it speaks; they come first, and these two numbers never change their
 *     form
 * @param to whom it means to speak to
 * @param nonceHigh half of the random number that makes this connection unlike every other
 * @param nonceLow the other half
 */
record Hello(
        WireVersions versions,
        String clusterName,
        NodeId node,
        long incarnation,
        NodeId to,
        UUID nonceHigh,
        UUID nonceLow) {
    /** "MeteorSh". */
    static final long MAGIC = 0x4d65_7465_6f72_5368L;

    private static final int MAX_NAME_BYTES = 1_024;
    private static final int MAX_VERSION = 1_000_000;

    byte[] encode() {
        return new WireOutput(128)
                .fixed64(MAGIC)
                .varint(versions.newest())
                .varint(versions.oldest())
                .text(clusterName)
                .uuid(node.value())
                .signed(incarnation)
                .uuid(to.value())
                .uuid(nonceHigh)
                .uuid(nonceLow)
                .toBytes();
    }

    /**
     * @param own what this node speaks
     * @throws RefusedException if it speaks none of these versions; then what follows is not looked at
     * @throws BadMessageException if it speaks something else altogether
     */
    static Hello decode(WireInput in, WireVersions own) throws BadMessageException, RefusedException {
        if (in.fixed64() != MAGIC) {
            throw new BadMessageException("it does not begin as a connection between nodes does");
        }
        int newest = in.number("the newest version", MAX_VERSION);
        int oldest = in.number("the oldest version", MAX_VERSION);
        if (oldest < 1 || newest < oldest) {
            throw new BadMessageException("there are no versions " + oldest + " to " + newest);
        }
        WireVersions theirs = new WireVersions(oldest, newest);
        int unused = own.common(theirs);
        return new Hello(
                theirs,
                in.text("the cluster's name", MAX_NAME_BYTES),
                new NodeId(in.uuid()),
                in.signed(),
                new NodeId(in.uuid()),
                in.uuid(),
                in.uuid());
    }

    /** Checks what both ends check: that the other is of this cluster, and means this node. */
    void check(String ownClusterName, NodeId self, @Nullable NodeId expected) throws RefusedException {
        if (!clusterName.equals(ownClusterName)) {
            throw new RefusedException(
                    // What a stranger says is kept on one line.
                    "cluster '" + clusterName.replaceAll("\\p{Cntrl}", " ") + "', while the other node is of cluster '"
                            + ownClusterName + "'");
        }
        if (!to.equals(self)) {
            throw new RefusedException("node " + to + " is looked for, and here is " + self);
        }
        if (expected != null && !node.equals(expected)) {
            throw new RefusedException("node " + expected + " is looked for, and here is " + node);
        }
    }

    /** Splits a welcome into hello and proof. */
    static byte[][] split(byte[] welcome, int proofBytes) throws BadMessageException {
        if (welcome.length < proofBytes) {
            throw new BadMessageException("truncated: a welcome of " + welcome.length + " bytes has no proof");
        }
        int at = welcome.length - proofBytes;
        return new byte[][] {Arrays.copyOf(welcome, at), Arrays.copyOfRange(welcome, at, welcome.length)};
    }
}
