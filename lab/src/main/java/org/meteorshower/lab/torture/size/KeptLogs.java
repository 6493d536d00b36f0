/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import org.meteorshower.lab.cluster.LocalCluster;

/**
 * Copies logs of nodes out of a cluster's folder, which goes with the cluster.
 *
 * @param report the folder that gets them
 * @param phase a word for their names
 */
record KeptLogs(LocalCluster cluster, Path report, String phase, Consumer<String> say) {
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
