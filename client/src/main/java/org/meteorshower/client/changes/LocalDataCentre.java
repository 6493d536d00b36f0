/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Set;
import java.util.TreeSet;

/** Which data centre a session asks. */
final class LocalDataCentre {

    private LocalDataCentre() {}

    /**
     * That of the nodes that the driver considers local; where it knows none, the one that its configuration names.
     *
     * @throws IllegalArgumentException if there is none, or no single one
     */
    static String of(CqlSession session) {
        Set<String> names = new TreeSet<>();
        for (Node node : session.getMetadata().getNodes().values()) {
            String name = node.getDatacenter();
            if (node.getDistance() == NodeDistance.LOCAL && name != null) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            String configured = session.getContext()
                    .getConfig()
                    .getDefaultProfile()
                    .getString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "");
            if (!configured.isEmpty()) {
                return configured;
            }
        }
        if (names.size() != 1) {
            throw new IllegalArgumentException(
                    "The session has no single local data centre, but " + names
                            + ": set basic.load-balancing-policy.local-datacenter, or name it in ChangeStream.at(session, name)");
        }
        return names.iterator().next();
    }
}
