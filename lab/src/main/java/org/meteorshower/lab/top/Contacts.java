/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;

/** Finds the nodes of a cluster of which one is known. */
final class Contacts {
    private Contacts() {}

    /**
     * All nodes that the contact knows, by data centre and address. Throws {@link ClusterException} where it does not
     * answer.
     */
    static List<Target> discover(InetSocketAddress contact, NodeProbe.@Nullable Credentials credentials) {
        CqlSessionBuilder builder = CqlSession.builder()
                .withConfigLoader(NodeProbe.config())
                .addContactPoint(contact)
                // Nothing is asked over this session, so it need not be the right one.
                .withLocalDatacenter("unknown");
        if (credentials != null) {
            builder.withAuthCredentials(credentials.user(), credentials.password());
        }
        try (CqlSession session = builder.build()) {
            return targets(session);
        } catch (DriverException e) {
            throw new ClusterException(
                    contact.getHostString() + ":" + contact.getPort() + " does not answer: " + Unreachable.why(e)
                            + ". Name another node with --contact; where passwords are in use, --user and CQL_PASSWORD.",
                    e);
        }
    }

    private static List<Target> targets(CqlSession session) {
        List<Target> targets = new ArrayList<>();
        for (Node node : session.getMetadata().getNodes().values()) {
            if (node.getEndPoint().resolve() instanceof InetSocketAddress address) {
                targets.add(new Target(
                        address.getAddress().getHostAddress(), String.valueOf(node.getDatacenter()), address));
            }
        }
        targets.sort(Comparator.comparing(Target::dc).thenComparing(Target::name));
        return targets;
    }
}
