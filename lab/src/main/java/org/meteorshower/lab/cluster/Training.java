/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes the class data archive: a plain node alone is started, and ended once it serves. */
final class Training {
    /** As long as a node may take elsewhere: this start has no class data yet, and is the slowest. */
    private static final Duration START_LIMIT = Duration.ofMinutes(4);

    private static final Duration END_LIMIT = Duration.ofMinutes(2);

    private Training() {}

    /** Needs the address to be free. Where it fails the archive is missing, and nodes start without it. */
    static void run(ClassDataArchive archive, NodeCommand withPlugin, Path cacheFolder, String address) {
        NodeCommand plain =
                new NodeCommand(withPlugin.java(), withPlugin.software().plain(), Optional.empty());
        ClusterOptions options = ClusterOptions.builder()
                .dcs(List.of("training"))
                .firstAddress(address)
                .plugin(false)
                .build();
        NodeSpec node = Topology.plan(options).get(0);
        NodeFolder folder = new NodeFolder(
                cacheFolder.resolve("training-" + ProcessHandle.current().pid()));
        archive.prepare();
        new NodeFiles("training", options, "", folder.root()).write(node, folder, node.address());
        NodeProcess process = new NodeLauncher(plain, options).launch(folder, archive.makeOptions());
        Thread killer = new Thread(() -> end(process, folder), "end-training");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            Waiting.until(START_LIMIT, () -> !process.isAlive() || CqlProbe.answers(address, 500));
            process.signal("TERM");
            Waiting.until(END_LIMIT, () -> !process.isAlive());
            archive.adopt();
        } finally {
            end(process, folder);
            forget(killer);
        }
    }

    private static synchronized void end(NodeProcess process, NodeFolder folder) {
        Stopping.atOnce(List.of(process));
        Folders.delete(folder.root());
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook runs already, and finds nothing left to end.
        }
    }
}
