/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.cluster.ClusterOptions;

final class DemoOptionsTest {
    private static final Workload WORKLOAD = new Workload(24, 1000, 0.5, 480);

    @Test
    void modesAreNamedAsInTheReportWithOrWithoutCassandra() {
        for (Mode mode : Mode.values()) {
            assertThat(Mode.parse(mode.word())).isEqualTo(mode);
        }
        assertThat(Mode.parse("LOCAL_ONE")).isEqualTo(Mode.CASSANDRA_LOCAL_ONE);
        assertThat(Mode.parse("quorum")).isEqualTo(Mode.CASSANDRA_QUORUM);
        assertThatThrownBy(() -> Mode.parse("fast")).hasMessageContaining("there are cassandra_local_one");
    }

    @Test
    void whatMakesNoSenseIsRefusedWithWhatWould() {
        assertThatThrownBy(() -> options(1, List.of(Mode.STRICT), null, true)).hasMessageContaining("--seconds");
        assertThatThrownBy(() -> options(20, List.of(), null, true)).hasMessageContaining("--modes");
        assertThatThrownBy(() -> options(20, List.of(Mode.STRICT, Mode.STRICT), null, true))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> options(20, List.of(Mode.STRICT), "mars", true))
                .hasMessageContaining("eu, us, asia");
        assertThatThrownBy(() -> options(20, List.of(Mode.STRICT), null, false))
                .hasMessageContaining("local_one,quorum");
        assertThatThrownBy(() -> new Workload(0, 1000, 0.5, 0)).hasMessageContaining("--threads");
        assertThatThrownBy(() -> new Workload(24, 0, 0.5, 0)).hasMessageContaining("--rows");
        assertThatThrownBy(() -> new Workload(24, 1000, 1.5, 0)).hasMessageContaining("--read-share");
        assertThatThrownBy(() -> new Workload(24, 1000, Double.NaN, 0)).hasMessageContaining("--read-share");
        assertThatThrownBy(() -> new Workload(24, 1000, 0.5, -1)).hasMessageContaining("--rate");
    }

    @Test
    void aDataCentreCanOnlyBeKilledWhereTwoAreLeft() {
        ClusterOptions two = ClusterOptions.builder().dcs(List.of("eu", "us")).build();
        assertThatThrownBy(() -> new DemoOptions(two, WORKLOAD, 20, List.of(Mode.SEQUENTIAL), "us", null, null, false))
                .hasMessageContaining("no majority");
    }

    private static DemoOptions options(int seconds, List<Mode> modes, @Nullable String kill, boolean plugin) {
        ClusterOptions cluster = ClusterOptions.builder().plugin(plugin).build();
        return new DemoOptions(cluster, WORKLOAD, seconds, modes, kill, null, null, false);
    }
}
