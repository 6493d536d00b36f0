/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.rivals;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.NodeSoftware;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.wan.WanEmulator;

/** Nodes of Cassandra 6.0-alpha2, whose transactions are Accord's. */
public final class Cassandra6 {
    public static final String RELEASE = "6.0-alpha2";

    private Cassandra6() {}

    /** What such nodes run; fetched where it was not yet. */
    public static NodeSoftware software(Installation installation, Progress progress) {
        List<Path> jars = RivalBuild.of(installation, "cassandra-6", "node.classpath", "Cassandra " + RELEASE)
                .jars(progress);
        Set<Path> ours = new LinkedHashSet<>();
        ours.add(jarOf(EmulatedNode.class));
        ours.add(jarOf(WanEmulator.class));
        return new NodeSoftware(jars, List.copyOf(ours), EmulatedNode.class.getName());
    }

    /** Lines for cassandra.yaml. */
    public static Map<String, String> cassandraOptions() {
        return Map.of("accord", "{enabled: true}");
    }

    /** Options of the nodes' JVMs. */
    public static List<String> jvmOptions(Path clusterFolder) {
        return List.of("-D" + EmulatedNode.WAN_FILE + "="
                + clusterFolder.toAbsolutePath().normalize().resolve("wan.properties"));
    }

    private static Path jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new ClusterException("where " + type.getName() + " comes from is not known");
        }
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new ClusterException("no path: " + source.getLocation(), e);
        }
    }
}
