/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import picocli.CommandLine.Option;

/** Which running cluster a command means. */
public final class ClusterPlace {
    private static final String USUAL = "cluster";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of the cluster, for several at a time; its folder is .meteor/NAME (default: cluster)")
    private @Nullable String name;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "folder of the cluster's data and state, instead of .meteor/NAME in the project")
    private @Nullable Path dir;

    private final Installation installation = Installation.locate();

    public Installation installation() {
        return installation;
    }

    /** What is said here; where nothing is, what is said to the command that this one belongs to. */
    public ClusterPlace or(ClusterPlace above) {
        return name == null && dir == null ? above : this;
    }

    public Path folder() {
        if (dir != null) {
            return dir.toAbsolutePath().normalize();
        }
        String named = name == null ? USUAL : name;
        if (!named.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}") || named.equals("cache") || named.equals("failed")) {
            throw new IllegalArgumentException("'" + named
                    + "' is no name for a cluster: use letters, digits, _ . and -, but not cache or failed");
        }
        return installation.workFolder().resolve(named);
    }

    /** Throws {@link org.meteorshower.lab.cluster.NoClusterException} where there is none. */
    public LocalCluster attach() {
        return LocalCluster.attach(installation, folder());
    }
}
