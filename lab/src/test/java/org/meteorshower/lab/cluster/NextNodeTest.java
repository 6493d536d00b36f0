/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NextNodeTest {
    private static final String FIRST = "127.0.3.1";
    private static final List<NodeSpec> THREE =
            Topology.plan(ClusterOptions.builder().firstAddress(FIRST).build());

    @Test
    void theNextOneIsNamedForItsDataCentreAndFollowsTheLastAddress() {
        NodeSpec next = NextNode.in("us", THREE, List.of(), FIRST);

        assertThat(next.name()).isEqualTo("us-2");
        assertThat(next.dc()).isEqualTo("us");
        assertThat(next.address()).isEqualTo("127.0.3.4");
    }

    @Test
    void itsTokenHalvesTheLargestRangeOfItsDataCentre() {
        NodeSpec second = NextNode.in("eu", THREE, List.of(), FIRST);
        long first = THREE.get(0).token();
        assertThat(second.token() - first).isEqualTo(Long.MIN_VALUE); // half the ring

        List<NodeSpec> four = new ArrayList<>(THREE);
        four.add(second);
        NodeSpec third = NextNode.in("eu", four, List.of(), FIRST);
        assertThat(Math.abs(third.token() - first)).isBetween(1L << 61, 3L << 61);
        assertThat(Math.abs(third.token() - second.token())).isBetween(1L << 61, 3L << 61);
    }

    @Test
    void noTokenIsGivenTwice() {
        List<NodeSpec> nodes = new ArrayList<>(Topology.plan(ClusterOptions.builder()
                .dcs(List.of("eu", "us"))
                .firstAddress(FIRST)
                .build()));
        for (int i = 0; i < 12; i++) {
            nodes.add(NextNode.in(i % 2 == 0 ? "eu" : "us", nodes, List.of(), FIRST));
        }

        assertThat(nodes).extracting(NodeSpec::token).doesNotHaveDuplicates().doesNotContain(Long.MIN_VALUE);
        assertThat(nodes).extracting(NodeSpec::name).doesNotHaveDuplicates();
        assertThat(nodes).extracting(NodeSpec::address).doesNotHaveDuplicates();
    }

    @Test
    void namesAndAddressesOfThoseGoneAreNotGivenAgain() {
        NodeSpec gone = new NodeSpec("us-2", "us", "127.0.3.4", 7);

        NodeSpec next = NextNode.in("us", THREE, List.of(gone), FIRST);

        assertThat(next.name()).isEqualTo("us-3");
        assertThat(next.address()).isEqualTo("127.0.3.5");
    }

    @Test
    void whenAllAddressesWereUsedTheOneThatWentFirstIsGivenAgain() {
        List<NodeSpec> nodes = List.of(new NodeSpec("eu-1", "eu", "127.0.3.253", 1));
        List<NodeSpec> gone = List.of(new NodeSpec("eu-2", "eu", "127.0.3.254", 2));

        assertThat(NextNode.in("eu", nodes, gone, "127.0.3.253").address()).isEqualTo("127.0.3.254");
        assertThatThrownBy(() -> NextNode.in(
                        "eu",
                        List.of(nodes.get(0), new NodeSpec("eu-2", "eu", "127.0.3.254", 2)),
                        List.of(),
                        "127.0.3.253"))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("no address is left");
    }
}
