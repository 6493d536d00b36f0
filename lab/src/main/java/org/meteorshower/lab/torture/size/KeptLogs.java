/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * Copies logs of nodes out of a cluster's folder, which goes with the cluster.
 *
 * @param report the folder that gets them
 * @param phase a word for their names
 */
record KeptLogs(LocalCluster cluster, Path report, String phase, Consumer<String> say) {
    /** In how many lines of all nodes' logs these words are. */
    long count(String words) {
        long count = 0;
        for (NodeSpec node : cluster.nodes()) {
            try (Stream<String> lines = Files.lines(cluster.systemLog(node.name()))) {
                count += lines.filter(line -> line.contains(words)).count();
            } catch (IOException | UncheckedIOException e) {
                say.accept("the log of " + node.name() + " cannot be read: " + e.getMessage());
            }
        }
        return count;
    }

    /** @param why a word: what happened to the node */
    void keep(String node, String why) {
        Path folder = report.resolve(phase + "-" + node + "-" + why);
        try {
            Files.createDirectories(folder);
            for (Path log : List.of(cluster.systemLog(node), cluster.standardOutput(node))) {
                if (Files.exists(log)) {
                    Files.copy(log, folder.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            say.accept((why.equals("died") ? node + " HAS ENDED BY ITSELF; " : "") + "its logs are kept in " + folder);
        } catch (IOException e) {
            say.accept("the logs of " + node + " could not be kept: " + e.getMessage());
        }
    }
}
