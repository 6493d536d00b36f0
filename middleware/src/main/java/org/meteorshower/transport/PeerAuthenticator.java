/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.net.InetAddress;
import java.security.cert.Certificate;
import java.util.List;

/** The operator's own say in who may connect, such as Cassandra's internode authenticator. Thread-safe, quick. */
@FunctionalInterface
public interface PeerAuthenticator {
    PeerAuthenticator ALLOW_ALL = (address, certificates, opened) -> true;

    /** Which end of a connection is to be judged. */
    enum OpenedBy {
        /** The other end connected to this node. */
        OTHER,
        /** This node connected to the other end. */
        THIS_NODE
    }

    /** @param certificates the other end's, verified by TLS; empty where TLS did not ask for them */
    boolean admits(InetAddress address, List<Certificate> certificates, OpenedBy opened);
}
