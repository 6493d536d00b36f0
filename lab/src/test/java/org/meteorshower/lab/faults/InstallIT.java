/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * docs/INSTALL.md, step by step, on a Cassandra that is laid out as its distribution is and started as its own script
 * starts it: {@code conf} and {@code lib/*.jar} on the class path, JVM options from a file. What to put into files and
 * what to type is read from the document itself.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class InstallIT {
    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String JAR = "meteorshower-cassandra-5.0.jar";

    @TempDir
    private static Path home;

    private static String guide;
    private static String address;
    private static Process node;
    private static CqlSession cql;

    @BeforeAll
    static void unpackCassandra() throws Exception {
        guide = Files.readString(Installation.locate().home().resolve("docs/INSTALL.md"));
        address = FreeAddress.next();
        Path lib = Files.createDirectory(home.resolve("lib"));
        for (Path jar : Installation.locate().nodeJars()) {
            Files.createSymbolicLink(lib.resolve(jar.getFileName().toString()), jar);
        }
        Files.createDirectory(home.resolve("logs"));
        conf("cassandra.yaml", cassandraYaml());
        conf("logback.xml", """
                <configuration>
                  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
                    <file>${cassandra.logdir}/system.log</file>
                    <encoder><pattern>%-5level %date %msg%n</pattern></encoder>
                  </appender>
                  <root level="INFO"><appender-ref ref="FILE"/></root>
                </configuration>
                """);
        conf("jvm-server.options", """
                # Lines of this form are options
                -ea
                -Xms256M
                -Xmx256M
                -XX:+UseSerialGC
                -XX:TieredStopAtLevel=1
                -Dcassandra.ring_delay_ms=0
                -Dcassandra.skip_wait_for_gossip_to_settle=0
                -Dcassandra.memtable.row_overhead_size=180
                """);
        conf("jvm17-server.options", """
                --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
                --add-opens java.base/jdk.internal.ref=ALL-UNNAMED
                --add-opens java.base/sun.nio.ch=ALL-UNNAMED
                --add-opens java.base/java.io=ALL-UNNAMED
                """);
    }

    private static String cassandraYaml() {
        return """
                cluster_name: 'Test Cluster'
                num_tokens: 4
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                commitlog_sync: periodic
                commitlog_sync_period: 10000ms
                endpoint_snitch: SimpleSnitch
                listen_address: ADDRESS
                rpc_address: ADDRESS
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters: [{seeds: "ADDRESS"}]
                """.replace("ADDRESS", address);
    }

    private static void conf(String file, String text) throws IOException {
        Files.writeString(Files.createDirectories(home.resolve("conf")).resolve(file), text);
    }

    @AfterEach
    void keepTheLog() throws IOException {
        Files.copy(log(), Reports.file("InstallIT.log"), StandardCopyOption.REPLACE_EXISTING);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (cql != null) {
            cql.close();
            cql = null;
        }
        if (node != null) {
            node.destroy();
            if (!node.waitFor(20, TimeUnit.SECONDS)) {
                node.destroyForcibly().waitFor();
            }
            node = null;
        }
    }

    @Test
    @Order(1)
    void theNodeStartsWithTheJarTheLineAndTheFile() throws Exception {
        Files.copy(Installation.locate().pluginJar(), home.resolve("lib").resolve(JAR));
        Matcher options = find("`conf/(jvm[^`]*options)`");
        Matcher line = find("(?m)^ +(-javaagent:)/opt/cassandra(/lib/" + JAR + ")$");
        Files.writeString(
                home.resolve("conf").resolve(options.group(1)),
                line.group(1) + home + line.group(2) + "\n",
                StandardOpenOption.APPEND);
        Matcher secret = find("(?m)^ +(token_secret: \").*\"$");
        conf("meteorshower.yaml", secret.group(1) + "0123456789abcdef".repeat(4) + "\"\n");
        start();
        assertThat(Files.readString(log()))
                .contains(find("(?m)^ +(MeteorShower is up: node )").group(1))
                .doesNotContain("no token_secret is set");
        assertThat(home.resolve("data/meteorshower")).isDirectory();
    }

    @Test
    @Order(2)
    void aTableWithDataIsServedOnceTheNodesHaveRepairedIt() throws Exception {
        cql.execute("CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        cql.execute("CREATE TABLE shop.cart (k text PRIMARY KEY, v text)");
        cql.execute("INSERT INTO shop.cart (k, v) VALUES ('x', 'before')");

        assertThatThrownBy(() -> cql.execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options)"
                        + " VALUES ('shop', 'cart', 'strict=home,holders=nowhere')"))
                .hasMessageContaining("nowhere")
                .hasMessageContaining("datacenter1");
        cql.execute(statement("INSERT INTO meteorshower.tables"));
        Waiting.until(SOON, () -> assertThat(state()).isEqualTo("served"));
        ResultSet read = cql.execute(
                ThreeNodes.quorum(statement("SELECT * FROM shop.cart")).setTracing(true));
        assertThat(read.one().getString("v")).isEqualTo("before");
        Matcher traced = find("(MeteorShower: served LOCAL at cut) \\d+, [0-9.]+ ms behind the clock");
        Waiting.until(
                SOON, () -> assertThat(read.getExecutionInfo().getQueryTrace().getEvents())
                        .anySatisfy(event -> assertThat(event.getActivity()).startsWith(traced.group(1))));
        cql.execute(ThreeNodes.quorum("INSERT INTO shop.cart (k, v) VALUES ('y', 'meanwhile')"));

        cql.execute(statement("UPDATE meteorshower.tables SET options"));
        Waiting.until(SOON, () -> assertThat(cql.execute(ThreeNodes.quorum("SELECT * FROM shop.cart"))
                        .all())
                .hasSize(2));
    }

    @Test
    @Order(3)
    void withoutThePluginItIsAnOrdinaryTableWithAllItsRows() throws Exception {
        cql.execute(statement("DELETE FROM meteorshower.tables"));
        Waiting.until(SOON, () -> assertThat(state()).isNull());
        stop();
        for (String file : List.of("jvm-server.options", "jvm17-server.options")) {
            String kept = Files.readAllLines(home.resolve("conf").resolve(file)).stream()
                    .filter(line -> !line.startsWith("-javaagent:"))
                    .collect(Collectors.joining("\n"));
            conf(file, kept + "\n");
        }
        start();
        assertThat(cql.execute("SELECT * FROM shop.cart").all())
                .extracting(row -> row.getString("v"))
                .containsExactlyInAnyOrder("before", "meanwhile");
        // What an enabled table would refuse.
        cql.execute("UPDATE shop.cart USING TIMESTAMP 1 SET v = 'too old' WHERE k = 'x'");
        assertThat(cql.execute("INSERT INTO shop.cart (k, v) VALUES ('z', 'new') IF NOT EXISTS")
                        .wasApplied())
                .isTrue();
        cql.execute("TRUNCATE shop.cart");
        assertThatThrownBy(() -> cql.execute("SELECT * FROM meteorshower.tables"))
                .isInstanceOf(InvalidQueryException.class);
    }

    private static String state() {
        Row row = cql.execute("SELECT state FROM meteorshower.tables").one();
        return row == null ? null : row.getString(0);
    }

    /** A piece of the guide. */
    private static Matcher find(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(guide);
        assertThat(matcher.find()).as("docs/INSTALL.md has /%s/", pattern).isTrue();
        return matcher;
    }

    /** The first statement of the guide that begins so. */
    private static String statement(String beginning) {
        return find("(?m)(" + Pattern.quote(beginning) + "[^;]*);").group(1).replaceAll("\\s+", " ");
    }

    /** As Cassandra's own start script does, on the JDK of this test. */
    private static void start() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String file : List.of("jvm-server.options", "jvm17-server.options")) {
            try (Stream<String> lines = Files.lines(home.resolve("conf").resolve(file))) {
                lines.filter(line -> line.startsWith("-")).forEach(line -> command.addAll(List.of(line.split(" "))));
            }
        }
        String classPath = home.resolve("conf").toString();
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            classPath += jars.sorted().map(jar -> File.pathSeparator + jar).collect(Collectors.joining());
        }
        command.addAll(List.of("-Dlogback.configurationFile=logback.xml", "-Dcassandra.logdir=" + home + "/logs"));
        command.addAll(List.of("-Dcassandra.storagedir=" + home + "/data", "-Dcassandra-foreground=yes"));
        command.addAll(List.of("-cp", classPath, "org.apache.cassandra.service.CassandraDaemon"));
        File output = home.resolve("logs/output.log").toFile();
        node = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                .start();
        Waiting.until(START_LIMIT, () -> {
            if (node.isAlive()) {
                cql = CqlSession.builder()
                        .addContactPoint(new InetSocketAddress(address, NodeSpec.CQL_PORT))
                        .withLocalDatacenter("datacenter1")
                        .withConfigLoader(TestCluster.driverConfig(SOON))
                        .build();
            }
        });
        assertThat(cql)
                .as("the node ended: %s", Files.readString(output.toPath()))
                .isNotNull();
    }

    private static Path log() {
        return home.resolve("logs/system.log");
    }
}
