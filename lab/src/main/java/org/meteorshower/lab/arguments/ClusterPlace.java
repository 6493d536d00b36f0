/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import picocli.CommandLine.Option;

/** Which running cluster a command means. */
public final class ClusterPlace {
    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of the cluster, for several at a time; its folder is .meteor/NAME (default: cluster)")
    private String name = "cluster";

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "folder of the cluster's data and state, instead of .meteor/NAME in the project")
    private @Nullable Path dir;

    private final Installation installation = Installation.locate();

    public Installation installation() {
        return installation;
    }

    public Path folder() {
        if (dir != null) {
            return dir.toAbsolutePath().normalize();
        }
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}") || name.equals("cache") || name.equals("failed")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name for a cluster: use letters, digits, _ . and -, but not cache or failed");
        }
        return installation.workFolder().resolve(name);
    }

    /** Throws {@link org.meteorshower.lab.cluster.NoClusterException} where there is none. */
    public LocalCluster attach() {
        return LocalCluster.attach(installation, folder());
    }
}
