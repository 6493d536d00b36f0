/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class YcsbOptionsTest {
    @ParameterizedTest
    @EnumSource
    void everyModeReadsAndWritesATableOfItsKind(YcsbMode mode) {
        Properties properties = options(mode, Map.of()).properties(List.of("127.0.0.1"), false);
        assertThat(properties.getProperty("db"))
                .isEqualTo("org.meteorshower.ycsb." + (mode.isServed() ? "MeteorShowerDb" : "CassandraDb"));
        assertThat(properties.getProperty("cassandra.keyspace")).isEqualTo(mode.isServed() ? "ycsb" : "ycsb_plain");
        assertThat(properties.getProperty("meteorshower.mode")).isEqualTo(mode.isServed() ? mode.word() : null);
        assertThat(YcsbMode.parse(mode.word())).isEqualTo(mode);
    }

    @Test
    void everyReplicaHasTheRowsBeforeOneAloneIsRead() {
        assertThat(options(YcsbMode.LOCAL_ONE, Map.of())
                        .properties(List.of("127.0.0.1"), true)
                        .getProperty("cassandra.writeconsistencylevel"))
                .isEqualTo("ALL");
    }

    @Test
    void whatIsGivenByHandWins() {
        Properties properties = options(YcsbMode.QUORUM, Map.of("recordcount", "7", "target", "50"))
                .properties(List.of("127.0.0.1", "127.0.0.2"), false);
        assertThat(properties.getProperty("recordcount")).isEqualTo("7");
        assertThat(properties.getProperty("hosts")).isEqualTo("127.0.0.1,127.0.0.2");
        assertThat(properties.getProperty("measurement.interval")).isEqualTo("both");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f", "uniform", "zipfian", "workloadA"})
    void aWorkloadsSharesAddUp(String name) {
        Properties workload = WorkloadFile.read(name);
        assertThat(List.of("read", "update", "insert", "scan", "readmodifywrite").stream()
                        .mapToDouble(kind -> Double.parseDouble(workload.getProperty(kind + "proportion")))
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void whatIsMisspeltIsSaidTogetherWithWhatThereIs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> YcsbMode.parse("eventual"))
                .withMessageContaining("local_one, quorum, all, sequential");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkloadFile.read("g"))
                .withMessageContaining("a, b, c, d, e, f");
    }

    private static YcsbOptions options(YcsbMode mode, Map<String, String> overrides) {
        return new YcsbOptions(WorkloadFile.read("a"), mode, List.of(), overrides);
    }
}
