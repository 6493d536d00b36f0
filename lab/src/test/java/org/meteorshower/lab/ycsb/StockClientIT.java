/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.ycsb.ClusterSettings;
import org.meteorshower.ycsb.DataCentreSessions;

/**
 * YCSB's own Cassandra client, as released, at QUORUM: a client that knows nothing of MeteorShower reads locally from
 * an enabled table. Runs where the system property {@code stock.ycsb} names the folder of that client's jars
 * (ycsb-binding/README.md).
 */
final class StockClientIT {
    private static final String JARS = System.getProperty("stock.ycsb", "");
    private static final double ROUND_TRIP_MICROS = 100_000;

    private final String address = FreeAddress.next();

    @TempDir
    private Path folder;

    private LocalCluster cluster;
    private DataCentres dataCentres;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(
                !JARS.isEmpty(),
                "YCSB's own Cassandra client is not on Maven Central: put its jars into a folder, as ycsb-binding/README.md"
                        + " says, and name that by -Dstock.ycsb=FOLDER");
        ClusterOptions options = ClusterOptions.builder()
                .delaysMillis(List.of(50.0))
                .firstAddress(address)
                .build();
        cluster = LocalCluster.start(
                Installation.locate(), folder.resolve("cluster"), options, Duration.ofMinutes(2), line -> {});
        dataCentres = new DataCentres(cluster.nodes(), DataCentres.PATIENT);
        Properties hosts = new Properties();
        hosts.setProperty("hosts", address);
        try (DataCentreSessions sessions = DataCentreSessions.connect(ClusterSettings.of(hosts), true)) {
            new YcsbTable(sessions, "ycsb", "usertable").ensure(10, true);
            new YcsbTable(sessions, "plain", "usertable").ensure(10, false);
        }
    }

    @AfterEach
    void stop() {
        if (dataCentres != null) {
            dataCentres.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void theStockClientReadsLocallyAtQuorumFromAnEnabledTable() throws Exception {
        ycsb("-load", "ycsb");
        ycsb("-load", "plain");

        long before = remoteReads("ycsb");
        String enabled = ycsb("-t", "ycsb");
        assertThat(figure(enabled, "[READ], AverageLatency(us)")).isLessThan(ROUND_TRIP_MICROS / 2);
        assertThat(figure(enabled, "[UPDATE], MinLatency(us)")).isGreaterThan(ROUND_TRIP_MICROS * 0.95);
        assertThat(figure(enabled, "[READ], Return=OK")).isGreaterThan(800);
        assertThat(enabled).doesNotContain("Return=ERROR");
        // A write's history is read where it is applied, elsewhere too: reads are far more.
        assertThat(remoteReads("ycsb") - before).isLessThan((long) (figure(enabled, "[UPDATE], Return=OK") * 2) + 1);

        String plain = ycsb("-t", "plain");
        assertThat(figure(plain, "[READ], MinLatency(us)")).isGreaterThan(ROUND_TRIP_MICROS * 0.95);
        assertThat(remoteReads("plain")).isGreaterThan(800);
    }

    /** How often nodes of the data centres without clients have read from the table. */
    private long remoteReads(String keyspace) {
        long reads = 0;
        for (String dc : dataCentres.names()) {
            Row row = dataCentres
                    .session(dc)
                    .execute("SELECT count FROM system_views.local_read_latency WHERE keyspace_name = '" + keyspace
                            + "' AND table_name = 'usertable'")
                    .one();
            reads += dc.equals(cluster.nodes().get(0).dc()) || row == null ? 0 : row.getLong(0);
        }
        return reads;
    }

    private static double figure(String said, String name) {
        Matcher found = Pattern.compile(Pattern.quote(name) + ", ([0-9.E]+)").matcher(said);
        assertThat(found.find()).as("%s in %s", name, said).isTrue();
        return Double.parseDouble(found.group(1));
    }

    /** What it said on standard output. */
    private String ycsb(String phase, String keyspace) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                JARS + "/*",
                "site.ycsb.Client",
                phase,
                "-db",
                "site.ycsb.db.CassandraCQLClient",
                "-threads",
                "8"));
        for (String property : List.of(
                "workload=site.ycsb.workloads.CoreWorkload",
                "hosts=" + address,
                "cassandra.keyspace=" + keyspace,
                "cassandra.readconsistencylevel=QUORUM",
                "cassandra.writeconsistencylevel=QUORUM",
                "recordcount=200",
                "operationcount=1000",
                "readproportion=0.95",
                "updateproportion=0.05",
                "requestdistribution=uniform")) {
            command.add("-p");
            command.add(property);
        }
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(err, StandardCharsets.UTF_8))
                .isZero();
        String said = Files.readString(out, StandardCharsets.UTF_8);
        said.lines()
                .filter(line -> line.matches("\\[(READ|UPDATE)\\], (Average|95th|Min).*"))
                .forEach(line -> System.out.println(phase + " " + keyspace + " " + line));
        return said;
    }
}
