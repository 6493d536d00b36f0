/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PortCheckTest {
    @Test
    void aTakenPortIsNamedWithTheNodeThatNeedsItAndACure() throws Exception {
        NodeSpec node = new NodeSpec("eu-1", "eu", "127.211.7.5", 0);
        PortCheck.requireFree(List.of(node), true);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(node.address(), NodeSpec.CQL_PORT));
            assertThatThrownBy(() -> PortCheck.requireFree(List.of(node), true))
                    .hasMessageContaining("127.211.7.5:9042, which eu-1 needs, is taken")
                    .hasMessageContaining("--first-address");
        }
    }

    @Test
    void anAddressThatThisMachineLacksIsNamed() {
        NodeSpec node = new NodeSpec("eu-1", "eu", "192.0.2.1", 0);
        assertThatThrownBy(() -> PortCheck.requireFree(List.of(node), true))
                .hasMessageContaining("this machine has no address 192.0.2.1");
    }
}
