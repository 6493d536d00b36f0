/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Turns a node's folder into a process. */
final class NodeLauncher {
    private final NodeCommand command;
    private final ClusterOptions options;

    NodeLauncher(NodeCommand command, ClusterOptions options) {
        this.command = command;
        this.options = options;
    }

    NodeProcess launch(NodeFolder folder, List<String> archiveOptions) {
        List<String> line = new ArrayList<>(ownSession());
        line.addAll(command.of(folder, options, archiveOptions));
        try {
            Process process = new ProcessBuilder(line)
                    .directory(folder.root().toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.standardOutput().toFile()))
                    .start();
            return NodeProcess.of(process.pid());
        } catch (IOException e) {
            throw new ClusterException("cannot start " + line.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** A session of its own: neither Ctrl-C nor a closed terminal reaches a node. Same process, same number. */
    private static List<String> ownSession() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("setsid") : List.of();
    }
}
