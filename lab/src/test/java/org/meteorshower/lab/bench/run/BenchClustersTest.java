/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.meteorshower.lab.cluster.ClusterException;

final class BenchClustersTest {
    @Test
    void eachClusterHasAddressesOfItsOwn() {
        assertThat(BenchClusters.address("127.0.3.1", 0)).isEqualTo("127.0.3.1");
        assertThat(BenchClusters.address("127.0.3.1", 2)).isEqualTo("127.0.5.1");
        assertThatThrownBy(() -> BenchClusters.address("127.0.254.1", 2))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("smaller --first-address");
    }
}
