/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * What a node runs. Immutable.
 *
 * @param jars Cassandra's class path
 * @param more put behind it
 * @param mainClass what the JVM starts
 */
public record NodeSoftware(List<Path> jars, List<Path> more, String mainClass) {
    private static final String CASSANDRA = "org.apache.cassandra.service.CassandraDaemon";

    public NodeSoftware {
        jars = List.copyOf(jars);
        more = List.copyOf(more);
    }

    /** Cassandra as it is. */
    static NodeSoftware cassandra(List<Path> jars) {
        return new NodeSoftware(jars, List.of(), CASSANDRA);
    }

    /** The same without what was put to it. */
    NodeSoftware plain() {
        return cassandra(jars);
    }
}
