/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.console.Display;

/** YCSB's own client on real nodes, through both bindings, every value checked. */
final class YcsbIT {
    private final String address = FreeAddress.next();

    private final StringWriter said = new StringWriter();
    private final StringWriter wrong = new StringWriter();

    @TempDir
    private Path folder;

    private LocalCluster cluster;

    @BeforeEach
    void start() {
        ClusterOptions options = ClusterOptions.builder()
                .delaysMillis(List.of(5.0))
                .firstAddress(address)
                .build();
        cluster = LocalCluster.start(
                Installation.locate(), folder.resolve("cluster"), options, Duration.ofMinutes(2), line -> {});
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void bothBindingsReturnTheValuesThatWereWritten() {
        assertThat(run("a", YcsbMode.QUORUM, Map.of())).as(wrong.toString()).isTrue();
        assertThat(said.toString()).contains("[VERIFY], Return=OK, ").doesNotContain("[READ-SERVED]");

        said.getBuffer().setLength(0);
        assertThat(run("a", YcsbMode.SEQUENTIAL, Map.of("meteorshower.roaming", "10")))
                .as(wrong.toString())
                .isTrue();
        assertThat(said.toString()).contains("[VERIFY], Return=OK, ", "[READ-SERVED], local, ", "[UPDATE], Return=OK");

        // A client that knows nothing of MeteorShower, on the enabled table; scans are Cassandra's own there.
        assertThat(run("e", YcsbMode.QUORUM, Map.of("cassandra.keyspace", "ycsb", "operationcount", "100")))
                .as(wrong.toString())
                .isTrue();
        assertThat(said.toString()).contains("[SCAN], Return=OK, ", "[INSERT], Return=OK");
        assertThat(wrong.toString()).isEmpty();
    }

    private boolean run(String workload, YcsbMode mode, Map<String, String> more) {
        Map<String, String> properties = new TreeMap<>(Map.of(
                "recordcount", "100",
                "operationcount", "1000",
                "threadcount", "6",
                "dataintegrity", "true",
                "fieldlengthdistribution", "constant"));
        properties.putAll(more);
        List<String> hosts = cluster.nodes().stream().map(NodeSpec::address).toList();
        return new YcsbRunner(
                        new YcsbOptions(WorkloadFile.read(workload), mode, List.of("all"), properties),
                        hosts,
                        new Display(new PrintWriter(said), false),
                        new PrintWriter(wrong))
                .run();
    }
}
