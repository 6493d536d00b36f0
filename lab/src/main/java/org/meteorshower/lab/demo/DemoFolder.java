/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.meteorshower.lab.Installation;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NoClusterException;
import org.meteorshower.lab.cluster.NodeStatus;

/** Where a demo's cluster lives: in a folder for each first address, so that demos beside each other do not meet. */
final class DemoFolder {
    private final Installation installation;

    DemoFolder(Installation installation) {
        this.installation = installation;
    }

    /** The folder, empty: what a run that was killed left in it is deleted. Throws {@link DemoException}. */
    Path claim(ClusterOptions options) {
        String name = "demo-" + options.firstAddress();
        Path folder = installation.workFolder().resolve(name);
        try {
            LocalCluster left = LocalCluster.attach(installation, folder);
            if (left.status().stream().anyMatch(node -> node.state() != NodeStatus.State.DOWN)) {
                throw new DemoException("a demo runs already on " + options.firstAddress()
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
    Path failedHistory() {
        Path folder = installation.workFolder().resolve("failed");
        try {
            Files.createDirectories(folder);
            return Files.createTempFile(folder, "demo-", ".jsonl");
        } catch (IOException e) {
            throw new DemoException("cannot make a file in " + folder + ": " + e.getMessage(), e);
        }
    }
}
