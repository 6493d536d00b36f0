/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Operation;
import org.meteorshower.lab.cluster.ClusterOptions;

class ReadTortureReportTest {
    private static final ReadTortureOptions OPTIONS = new ReadTortureOptions(
            new TortureOptions(
                    ClusterOptions.builder().build(),
                    Duration.ofMinutes(1),
                    42,
                    List.of(FaultKind.KILL),
                    Path.of("t.svg"),
                    null),
            new TortureLoad(42, 3, 8, 100),
            0.5,
            false,
            false);

    private static ReadTortureResult result(List<String> lost, Operation... operations) {
        var builder = History.builder();
        for (Operation operation : operations) {
            builder.add(operation);
        }
        History history = builder.build();
        FaultSpan span = new FaultSpan(new Fault(FaultKind.KILL, "us", 0, 0, 0), 1, 2, 3);
        return new ReadTortureResult(
                OPTIONS,
                history,
                Model.SEQUENTIAL.check(history),
                1,
                lost,
                TortureFigures.of(
                        List.of(span), List.of(), List.of("eu", "us", "asia"), Map.of("WriteTimeoutException", 3L), 60),
                null);
    }

    private static final Operation WRITE = Operation.write("a", "k", "v", 1, 2, 10);

    @Test
    void aRunThatWentWellSaysSo() {
        ReadTortureResult result = result(List.of(), WRITE, Operation.read("a", "k", "v", 3, 4));
        ObjectNode json = ReadTortureReport.of(result).json();

        assertThat(result.isRight()).isTrue();
        assertThat(json.get("ops").asInt()).isEqualTo(2);
        assertThat(json.get("violations").asInt()).isZero();
        assertThat(json.get("lost").asInt()).isZero();
        assertThat(json.get("faults").get("kill").asInt()).isEqualTo(1);
        assertThat(ReadTortureReport.of(result).lines())
                .anyMatch(line -> line.contains("no acknowledged write is lost"));
    }

    @Test
    void aViolationAndALostWriteAreShown() {
        ReadTortureResult result = result(List.of("rows/1 in eu: gone"), WRITE, Operation.read("a", "k", null, 3, 4));

        assertThat(result.isRight()).isFalse();
        assertThat(ReadTortureReport.of(result).json().get("violations").asInt())
                .isEqualTo(1);
        assertThat(ReadTortureReport.of(result).json().get("lost").asInt()).isEqualTo(1);
        assertThat(ReadTortureReport.of(result).lines())
                .anyMatch(line -> line.contains("LOST rows/1"))
                .anyMatch(line -> line.contains("VIOLATION"));
    }
}
