/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TooFewNodesTest {
    @Test
    void saysWhereReplicasCannotBeHadAndWhatHelps() {
        assertThat(TooFewNodes.hint("k", Map.of("eu", 3, "us", 3), Map.of("eu", 1, "us", 2)))
                .contains("eu has 1 node for 3 replicas")
                .doesNotContain("us has")
                .contains("ALTER KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 1, 'us': 3}");
    }

    @Test
    void saysNothingWhereAMajorityCanBeUp() {
        assertThat(TooFewNodes.hint("k", Map.of("eu", 3, "us", 1), Map.of("eu", 2, "us", 1)))
                .isEmpty();
    }
}
