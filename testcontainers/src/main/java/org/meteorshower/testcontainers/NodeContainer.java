/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** The node that is a data centre of its own. For one thread at a time, as containers are. */
final class NodeContainer extends GenericContainer<NodeContainer> {
    private static final int CQL_PORT = 9042;
    private static final Duration UP_WITHIN = Duration.ofMinutes(4);

    /** In the folder that the node's user may write to. */
    private static final String DISTANCES = "/var/lib/cassandra/distances";

    /** Several nodes on a developer's machine, for minutes: small, and quick to start. */
    private static final String QUICK = String.join(
            " ",
            "-XX:-UseG1GC -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.size_recorder_interval=0",
            // Measured by Cassandra at start otherwise, which takes seconds.
            "-Dcassandra.memtable.row_overhead_size=180");

    private final String image;

    NodeContainer(String image, Network network, String dataCentre, String seeds) {
        super(DockerImageName.parse(image));
        this.image = image;
        // It is on no registry: what somebody else has put there under that name is nothing to run.
        withImagePullPolicy(name -> false);
        withNetwork(network);
        withNetworkAliases(dataCentre);
        withExposedPorts(CQL_PORT);
        withEnv("CASSANDRA_DC", dataCentre);
        // Every node is a seed: they start together, and none waits for data of another.
        withEnv("CASSANDRA_SEEDS", seeds);
        withEnv("MAX_HEAP_SIZE", "384M");
        withEnv("JVM_EXTRA_OPTS", QUICK);
        withEnv("METEORSHOWER_WAN_FILE", DISTANCES);
        waitingFor(Wait.forHealthcheck().withStartupTimeout(UP_WITHIN));
    }

    /** Where clients on this machine reach it. */
    InetSocketAddress contactPoint() {
        return new InetSocketAddress(getHost(), getMappedPort(CQL_PORT));
    }

    /** The node follows within 100 ms. */
    void follow(String distances) {
        try {
            // Written beside it and renamed, so that the node never reads half of it.
            ExecResult result = execInContainer(
                    "sh", "-c", "printf '%s' \"$1\" > \"$2.new\" && mv \"$2.new\" \"$2\"", "sh", distances, DISTANCES);
            if (result.getExitCode() != 0) {
                throw new IllegalStateException("the distances could not be written into " + getContainerName() + ": "
                        + result.getStderr().strip());
            }
        } catch (IOException e) {
            throw new IllegalStateException("the distances could not be written into " + getContainerName(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the distances were changed", e);
        }
    }

    @Override
    public void start() {
        try {
            super.start();
        } catch (RuntimeException e) {
            throw isMissing(e)
                    ? new IllegalStateException(
                            "there is no image " + image
                                    + " in this Docker engine: build it with ./meteor image, or name"
                                    + " another one with withImage",
                            e)
                    : e;
        }
    }

    private static boolean isMissing(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof NotFoundException) {
                return true;
            }
        }
        return false;
    }
}
