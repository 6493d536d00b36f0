/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class TopologyTest {
    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

    @Test
    void nodesAreNamedForTheirDataCentreAndFollowTheFirstAddress() {
        assertThat(plan(2, "127.0.3.7", "eu", "us"))
                .extracting(n -> n.name() + " " + n.dc() + " " + n.address())
                .containsExactly("eu-1 eu 127.0.3.7", "eu-2 eu 127.0.3.8", "us-1 us 127.0.3.9", "us-2 us 127.0.3.10");
    }

    @Test
    void eachDataCentreCoversTheRingEvenly() {
        List<NodeSpec> nodes = plan(4, "127.0.0.1", "eu", "us", "asia");
        nodes.stream().collect(Collectors.groupingBy(NodeSpec::dc)).forEach((dc, members) -> assertEven(members));
        assertEven(nodes);
    }

    @Test
    void tokensKeepClearOfTheOneCassandraReserves() {
        assertThat(plan(1, "127.0.0.1", "eu").get(0).token()).isNotEqualTo(Long.MIN_VALUE);
    }

    @Test
    void addressesMustBeLoopbackAndFit() {
        for (String bad : List.of("10.0.0.1", "127.0.0", "127.0.0.0", "127.0.0.256", "localhost")) {
            assertThatThrownBy(() -> plan(1, bad, "eu")).hasMessageContaining("no loopback address");
        }
        assertThatThrownBy(() -> plan(3, "127.0.0.253", "eu")).hasMessageContaining("do not fit");
    }

    private static void assertEven(List<NodeSpec> nodes) {
        List<BigInteger> tokens =
                nodes.stream().map(n -> BigInteger.valueOf(n.token())).sorted().toList();
        BigInteger ideal = RING.divide(BigInteger.valueOf(tokens.size()));
        for (int i = 0; i < tokens.size(); i++) {
            BigInteger arc = i == 0
                    ? RING.add(tokens.get(0)).subtract(tokens.get(tokens.size() - 1))
                    : tokens.get(i).subtract(tokens.get(i - 1));
            assertThat(arc.subtract(ideal).abs()).isLessThanOrEqualTo(BigInteger.TEN);
        }
    }

    private static List<NodeSpec> plan(int nodesPerDc, String firstAddress, String... dcs) {
        return Topology.plan(ClusterOptions.builder()
                .dcs(List.of(dcs))
                .nodesPerDc(nodesPerDc)
                .firstAddress(firstAddress)
                .build());
    }
}
