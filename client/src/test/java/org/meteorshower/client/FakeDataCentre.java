/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.netty.channel.nio.NioEventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** A data centre of fake nodes and the driver's session to it. */
final class FakeDataCentre implements AutoCloseable {

    /** Far more than an answer takes, also of a machine that has just begun: who is to see silence asks for less. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    final FakeProtocol protocol;
    final CqlSession cql;
    private final NioEventLoopGroup threads = new NioEventLoopGroup(1);

    FakeDataCentre(String name, int nodes) {
        this(name, nodes, config -> {});
    }

    FakeDataCentre(String name, int nodes, Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
        protocol = new FakeProtocol(name);
        try {
            for (int i = 1; i <= nodes; i++) {
                protocol.nodes.add(new FakeNode(name + "-" + i, threads, protocol));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 20)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_TIMEOUT, 1_000)
                .withString(DefaultDriverOption.NETTY_IO_SHUTDOWN_UNIT, "MILLISECONDS")
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 20)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_TIMEOUT, 1_000)
                .withString(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_UNIT, "MILLISECONDS")
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(20))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(50))
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_TIMEOUT);
        settings.accept(config);
        cql = CqlSession.builder()
                .addContactPoint(protocol.nodes.get(0).address())
                .withLocalDatacenter(name)
                .withConfigLoader(config.build())
                .build();
        awaitConnected();
    }

    /** Waits until the driver has its pool to every node, of one connection each, and its control connection. */
    void awaitConnected() {
        await(() -> connections() == protocol.nodes.size() + 1);
    }

    private int connections() {
        return cql.getMetadata().getNodes().values().stream()
                .mapToInt(Node::getOpenConnections)
                .sum();
    }

    FakeDataCentre behave(Function<Asked, Reply> replies) {
        protocol.behave(replies);
        return this;
    }

    List<Asked> asked() {
        return protocol.asked;
    }

    /** The death of every node, seen by the driver. */
    void killAll() {
        protocol.nodes.forEach(FakeNode::kill);
        await(() -> connections() == 0);
    }

    /** The node of this name dies; returns at once. */
    void kill(String node) {
        protocol.nodes.stream().filter(n -> n.name.equals(node)).forEach(FakeNode::kill);
    }

    private void await(BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
                throw new IllegalStateException("The driver did not see it: "
                        + cql.getMetadata().getNodes().values());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        cql.close();
        protocol.nodes.forEach(FakeNode::kill);
        threads.shutdownGracefully(20, 1_000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
