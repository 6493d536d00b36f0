/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The command line of a Cassandra node: Cassandra's main class from its jars, without the scripts of a distribution.
 *
 * @param java the JVM
 * @param software what it runs
 * @param plugin the plugin jar, where the nodes load it
 */
record NodeCommand(Path java, NodeSoftware software, Optional<Path> plugin) {
    /** What Cassandra 5.0 needs opened on JDK 17. */
    private static final List<String> MODULES = List.of(
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

    /** Small, and quick to start; the C1 compiler alone, because most nodes here live for minutes. */
    private static final List<String> SMALL_AND_QUICK = List.of(
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xshare:auto",
            "-Dcassandra.ring_delay_ms=0",
            // Twice the ring delay otherwise, 0 here: a node that gossips before it has its token, as every node does
            // while it starts, would be thrown out at once by those that are ahead, sometimes for good.
            "-Dcassandra.gossip_quarantine_delay_ms=60000",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.consistent.rangemovement=false",
            "-Dcassandra.size_recorder_interval=0",
            "-Dcassandra.schema_delay_ms=1",
            "-Dcassandra.shutdown_announce_in_ms=0",
            // Measured by Cassandra at start otherwise, which takes more than two seconds.
            "-Dcassandra.memtable.row_overhead_size=180",
            "-Dcassandra.allow_unsafe_join=true");

    /**
     * The same with a copy of the plugin in the node's folder: a build that replaces the jar under a running JVM would
     * have it fail, some time later, to load a class. To be called while the node does not run.
     */
    NodeCommand withOwnPlugin(NodeFolder folder) {
        if (plugin.isEmpty()) {
            return this;
        }
        Path copy = folder.pluginJar();
        try {
            Files.copy(plugin.get(), copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ClusterException("cannot copy the plugin to " + copy + ": " + e.getMessage(), e);
        }
        return new NodeCommand(java, software, Optional.of(copy));
    }

    /** The whole command. An archive that does not fit is ignored by the JVM. */
    List<String> of(NodeFolder folder, ClusterOptions options, List<String> archiveOptions) {
        List<String> command = new ArrayList<>(Privileges.withoutMemoryLock());
        command.add(java.toString());
        int heap = options.heapMegabytes();
        command.addAll(List.of("-Xms" + heap + "m", "-Xmx" + heap + "m", "-Xmn" + heap * 3 / 8 + "m"));
        command.addAll(SMALL_AND_QUICK);
        command.addAll(MODULES);
        command.addAll(archiveOptions);
        command.add("-XX:ErrorFile=" + folder.root().resolve("logs/hs_err.log"));
        command.add("-Djava.io.tmpdir=" + folder.temporary());
        command.add("-Dcassandra-foreground=yes");
        command.add("-Dcassandra.config=" + folder.cassandraYaml().toUri());
        command.add("-Dcassandra.storagedir=" + folder.data());
        command.add("-Dcassandra-rackdc.properties=" + folder.rackProperties().toUri());
        command.add("-Dlogback.configurationFile=" + folder.logback());
        // The plugin comes last on the class path: the class data archive is made without it, and the JVM takes an
        // archive whose class path is a prefix of its own.
        List<String> classpath =
                new ArrayList<>(software.jars().stream().map(Path::toString).toList());
        software.more().forEach(jar -> classpath.add(jar.toString()));
        if (plugin.isPresent()) {
            command.add("-javaagent:" + plugin.get());
            command.add("-Dmeteorshower.config=" + folder.meteorshowerYaml());
            classpath.add(plugin.get().toString());
        }
        command.addAll(options.jvmOptions());
        command.add("-cp");
        command.add(String.join(File.pathSeparator, classpath));
        command.add(software.mainClass());
        return command;
    }

    /** Prefixes that change what a node may do; none of them adds a process. */
    static final class Privileges {
        private static final List<String> DROP_MEMORY_LOCK =
                List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock");

        private Privileges() {}

        /** As root, Cassandra pins its memory and takes nearly twice as much: the right to do so is dropped. */
        static List<String> withoutMemoryLock() {
            boolean root = "root".equals(System.getProperty("user.name"));
            return root && Holder.WORKS ? DROP_MEMORY_LOCK : List.of();
        }

        private static final class Holder {
            static final boolean WORKS = tried();

            private static boolean tried() {
                if (!Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
                    return false;
                }
                List<String> trial = new ArrayList<>(DROP_MEMORY_LOCK);
                trial.add("true");
                try {
                    Process process = new ProcessBuilder(trial)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
                    return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
                } catch (IOException e) {
                    return false;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
    }
}
