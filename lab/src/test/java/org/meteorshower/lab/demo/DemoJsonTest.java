/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.console.Json;

final class DemoJsonTest {
    @TempDir
    private Path folder;

    @Test
    void theFileHasTheFieldsThatProgramsRelyOn() throws Exception {
        SessionLog session = new SessionLog("s00");
        session.written("sequential/1", "v", 0, 1, 1);
        session.read("sequential/1", "v", 2, 3);
        List<Finding> findings = Judge.findings(new Recording(List.of(session), Map.of()), List.of(Mode.SEQUENTIAL));
        Path file = folder.resolve("out.json");
        Json.write(DemoJson.of(Samples.result(Samples.allModes(), findings)), file);

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.get("ops").asLong()).isEqualTo(2);
        assertThat(json.get("violations").asLong()).isZero();
        assertThat(json.get("boot_seconds").asDouble()).isEqualTo(7.5);
        for (Mode mode : Mode.values()) {
            JsonNode figures = json.get("modes").get(mode.word());
            for (String kind : List.of("read", "write")) {
                for (String field : List.of("count", "p50_ms", "p90_ms", "p99_ms", "p999_ms")) {
                    assertThat(figures.get(kind).get(field).isNumber())
                            .as(mode + " " + kind + " " + field)
                            .isTrue();
                }
            }
            assertThat(figures.has("local_share")).isEqualTo(mode.isServed());
            assertThat(figures.has("staleness_p50_ms")).isEqualTo(mode.isServed());
            assertThat(figures.has("staleness_p99_ms")).isEqualTo(mode.isServed());
            assertThat(figures.get("per_dc").size()).isEqualTo(3);
        }
        assertThat(json.get("modes").get("sequential").get("local_share").asDouble())
                .isEqualTo(1.0);
        JsonNode ratio = json.get("ratios").get("sequential_read_p50_to_local_one");
        assertThat(ratio.get("value").asDouble()).isBetween(1.09, 1.11);
        assertThat(ratio.get("met").asBoolean()).isTrue();
    }

    @Test
    void whatIsUnknownIsNullAndNotAWordThatJsonDoesNotKnow() {
        Map<Mode, ModeStats> none = Map.of(Mode.SEQUENTIAL, new ModeStats(List.of("eu")));
        JsonNode json = DemoJson.of(Samples.result(none, List.of()));
        JsonNode read = json.get("modes").get("sequential").get("read");
        assertThat(read.get("count").asLong()).isZero();
        assertThat(read.get("p50_ms").isNull()).isTrue();
        assertThat(json.get("machine").get("stolen_share").isNull()).isTrue();
        assertThat(json.toString()).doesNotContain("NaN");
    }
}
