/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.faults.ThreeNodes;

/** YCSB's own client on real nodes, through both bindings, every value checked. */
@ExtendWith(ThreeNodes.class)
final class YcsbIT {
    private final StringWriter said = new StringWriter();
    private final StringWriter wrong = new StringWriter();

    @Test
    void bothBindingsReturnTheValuesThatWereWritten() {
        assertThat(run("a", YcsbMode.QUORUM, Map.of())).as(wrong.toString()).isTrue();
        assertThat(said.toString()).contains("[VERIFY], Return=OK, ").doesNotContain("[READ-SERVED]");

        said.getBuffer().setLength(0);
        assertThat(run("a", YcsbMode.SEQUENTIAL, Map.of("meteorshower.roaming", "10")))
                .as(wrong.toString())
                .isTrue();
        assertThat(said.toString()).contains("[VERIFY], Return=OK, ", "[READ-SERVED], local, ", "[UPDATE], Return=OK");
        assertThat(wrong.toString()).isEmpty();
    }

    /** A client that knows nothing of MeteorShower, on the enabled table; scans are Cassandra's own there. */
    @LongTest
    @Test
    void stockClientsScanAnEnabledTable() {
        assertThat(run("a", YcsbMode.SEQUENTIAL, Map.of("operationcount", "100")))
                .as(wrong.toString())
                .isTrue();
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
        return new YcsbRunner(
                        new YcsbOptions(WorkloadFile.read(workload), mode, List.of("all"), properties),
                        ThreeNodes.hosts(),
                        new Display(new PrintWriter(said), false),
                        new PrintWriter(wrong))
                .run();
    }
}
