/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterOptionsTest {
    @Test
    void optionsThatMakeNoSenseAreRefusedWithAReason() {
        refused(ClusterOptions.builder().dcs(List.of()), "at least one data centre");
        refused(ClusterOptions.builder().dcs(List.of("eu", "eu")), "named twice");
        refused(ClusterOptions.builder().dcs(List.of("e.u")), "no name for a data centre");
        refused(ClusterOptions.builder().nodesPerDc(0), "at least 1");
        refused(ClusterOptions.builder().nodesPerDc(9), "27 nodes are too many");
        refused(ClusterOptions.builder().jitterMillis(-1), "jitter");
        refused(ClusterOptions.builder().lossFraction(1.1), "loss must be 0 % to 100 %");
        refused(ClusterOptions.builder().lossFraction(Double.NaN), "loss must be 0 % to 100 %");
        refused(ClusterOptions.builder().heapMegabytes(64), "at least 128");
        refused(ClusterOptions.builder().delaysMillis(List.of(1.0, 2.0)), "2 delays for 3 pairs");
    }

    private static void refused(ClusterOptions.Builder options, String reason) {
        assertThatThrownBy(options::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
