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

class TortureReportTest {
    private static final TortureOptions OPTIONS = new TortureOptions(
            ClusterOptions.builder().build(),
            Duration.ofMinutes(1),
            42,
            List.of(FaultKind.KILL),
            3,
            8,
            0.5,
            100,
            null,
            Path.of("t.svg"),
            null);

    private static TortureResult result(List<String> lost, Operation... operations) {
        var builder = History.builder();
        for (Operation operation : operations) {
            builder.add(operation);
        }
        History history = builder.build();
        FaultSpan span = new FaultSpan(new Fault(FaultKind.KILL, "us", 0, 0, 0), 1, 2, 3);
        return new TortureResult(
                OPTIONS,
                history,
                Model.SEQUENTIAL.check(history),
                1,
                lost,
                List.of(span),
                Effect.of(List.of(span), List.of(), List.of("eu", "us", "asia")),
                Map.of("WriteTimeoutException", 3L),
                60);
    }

    private static final Operation WRITE = Operation.write("a", "k", "v", 1, 2, 10);

    @Test
    void aRunThatWentWellSaysSo() {
        TortureResult result = result(List.of(), WRITE, Operation.read("a", "k", "v", 3, 4));
        ObjectNode json = TortureReport.json(result);

        assertThat(result.isRight()).isTrue();
        assertThat(json.get("ops").asInt()).isEqualTo(2);
        assertThat(json.get("violations").asInt()).isZero();
        assertThat(json.get("lost").asInt()).isZero();
        assertThat(json.get("faults").get("kill").asInt()).isEqualTo(1);
        assertThat(TortureReport.lines(result)).anyMatch(line -> line.contains("no acknowledged write is lost"));
    }

    @Test
    void aViolationAndALostWriteAreShown() {
        TortureResult result = result(List.of("rows/1 in eu: gone"), WRITE, Operation.read("a", "k", null, 3, 4));

        assertThat(result.isRight()).isFalse();
        assertThat(TortureReport.json(result).get("violations").asInt()).isEqualTo(1);
        assertThat(TortureReport.json(result).get("lost").asInt()).isEqualTo(1);
        assertThat(TortureReport.lines(result))
                .anyMatch(line -> line.contains("LOST rows/1"))
                .anyMatch(line -> line.contains("VIOLATION"));
    }
}
