/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the cluster of one run of a command lives: in a folder for each command and first address, so that runs beside
 * each other do not meet. Every method throws {@link ClusterException}.
 *
 * @param command its name, such as {@code demo}
 */
public record RunFolder(Installation installation, String command) {
    /** The folder, empty: what a run that was killed left in it is deleted. */
    public Path claim(ClusterOptions options) {
        String name = command + "-" + options.firstAddress();
        Path folder = installation.workFolder().resolve(name);
        try {
            LocalCluster left = LocalCluster.attach(installation, folder);
            if (left.status().stream().anyMatch(node -> node.state() != NodeStatus.State.DOWN)) {
                throw new ClusterException("a " + command + " runs already on " + options.firstAddress()
                        + ", or one was kept or killed.\nStop its nodes with ./meteor cluster stop --name " + name
                        + ", or run this one beside it: --first-address 127.0.1.1");
            }
            left.stop(false);
        } catch (NoClusterException e) {
            // As it should be.
        }
        return folder;
    }

    /** A new file for the history of a run that went wrong. */
    public Path failedHistory() {
        Path folder = installation.workFolder().resolve("failed");
        try {
            Files.createDirectories(folder);
            return Files.createTempFile(folder, command + "-", ".jsonl");
        } catch (IOException e) {
            throw new ClusterException("cannot make a file in " + folder + ": " + e.getMessage(), e);
        }
    }
}
