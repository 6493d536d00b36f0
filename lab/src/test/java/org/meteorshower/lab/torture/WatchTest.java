/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.torture.StockRequest.Answer;
import org.meteorshower.lab.torture.StockRequest.Subject;

class WatchTest {
    private static final FaultSpan JOIN =
            new FaultSpan(new Fault(FaultKind.JOIN, "eu", 0, 0, 0), 1_000_000_000L, 3_000_000_000L, 3_000_000_000L);

    private static StockRequest request(Answer answer) {
        return new StockRequest(
                2_000_000_000L,
                2_250_000_000L,
                "us",
                Subject.SEQUENTIAL,
                true,
                answer,
                answer.isFailure() ? "SomeException" : "",
                answer == Answer.TIMED_OUT ? "eu-1 was not heard" : "");
    }

    private static Watch watch(List<OperatorNotes.Note> notes, StockRequest... requests) {
        return new Watch(FaultRow.of(List.of(JOIN), List.of(requests), notes), List.of(), List.of());
    }

    private static ObjectNode json(Watch watch) {
        ObjectNode json = Json.object();
        watch.addTo(json);
        return json;
    }

    @Test
    void aRunInWhichNobodyWasRefusedIsRight() {
        Watch watch = watch(
                List.of(new OperatorNotes.Note(2_000_000_000L, OperatorNotes.Kind.DEMANDED, "nodetool repair")),
                request(Answer.LOCAL),
                request(Answer.TIMED_OUT));

        assertThat(watch.isRight()).isTrue();
        assertThat(watch.lines()).anyMatch(line -> line.endsWith("1 times, read at us: eu-1 was not heard"));
        assertThat(json(watch).get("refused").asInt()).isZero();
        assertThat(json(watch).get("by_hand").asInt()).isZero();
        assertThat(json(watch).get("timed_out").asInt()).isEqualTo(1);
        assertThat(json(watch).get("longest_wait_ms").asDouble()).isEqualTo(250);
        assertThat(watch.lines()).anyMatch(line -> line.contains("asked for by Cassandra: nodetool repair"));
    }

    @Test
    void oneRefusedRequestIsWrongAndShown() {
        Watch watch = watch(List.of(), request(Answer.REFUSED), request(Answer.FORWARDED));
        JsonNode row = json(watch).get("by_fault").get(0);

        assertThat(watch.isRight()).isFalse();
        assertThat(json(watch).get("refused").asInt()).isEqualTo(1);
        assertThat(row.get("fault").asText()).isEqualTo("join");
        assertThat(row.get("dc").asText()).isEqualTo("eu");
        assertThat(row.get("seconds").asDouble()).isEqualTo(2);
        assertThat(row.get("errors").get("SomeException").asInt()).isEqualTo(1);
        assertThat(row.get("reads").get("forwarded").asInt()).isEqualTo(1);
        assertThat(watch.lines()).anyMatch(line -> line.contains("join eu: {SomeException=1}"));
    }

    @Test
    void aStatementByHandIsWrong() {
        Watch watch = watch(List.of(
                new OperatorNotes.Note(2_000_000_000L, OperatorNotes.Kind.BY_HAND, "UPDATE meteorshower.tables")));

        assertThat(watch.isRight()).isFalse();
        assertThat(json(watch).get("by_hand").asInt()).isEqualTo(1);
        assertThat(watch.lines()).anyMatch(line -> line.contains("BY HAND UPDATE meteorshower.tables"));
    }

    @Test
    void aSessionThatWentBackIsWrong() {
        assertThat(new Watch(List.of(), List.of("live_1: older"), List.of()).isRight())
                .isFalse();
    }
}
