/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** With lines as Cassandra 5.0 writes them. */
final class RingProgressTest {
    @Test
    void aNodesWayIntoTheRingIsTold() {
        assertThat(RingProgress.of("""
                        INFO  [main] 2026-11-24T15:00:00,000 StorageService - JOINING: waiting for ring information
                        INFO  [main] 2026-11-24T15:00:01,000 StorageService - JOINING: Starting to bootstrap...
                        DEBUG [GossipStage:1] 2026-11-24T15:00:01,500 StorageService - Node /127.0.0.1:7000 state NORMAL, token [1]
                        INFO  [NonPeriodicTasks:1] 2026-11-24T15:00:02,000 StreamResultFuture - [Stream #5f0a ID#0] Prepare completed. Receiving 2 files(5.250KiB), sending 0 files(0.000KiB)
                        INFO  [NonPeriodicTasks:1] 2026-11-24T15:00:02,000 StreamResultFuture - [Stream #5f0a ID#0] Prepare completed. Receiving 0 files(0B), sending 0 files(0B)
                        INFO  [Stream-Deserializer-/127.0.0.1:7000-1] 2026-11-24T15:00:03,000 StreamResultFuture - [Stream #5f0a] Session with /127.0.0.1:7000 is complete
                        INFO  [main] 2026-11-24T15:00:04,000 StorageService - NORMAL
                        """))
                .containsExactly(
                        "joining: waiting for ring information",
                        "joining: Starting to bootstrap...",
                        "streaming: receives 2 files (5.250KiB), sends 0 (0.000KiB)",
                        "streaming: with 127.0.0.1 complete",
                        "normal");
    }

    @Test
    void aNodesWayOutIsToldToo() {
        assertThat(RingProgress.of("""
                        INFO  [RMI] 2026-11-24T15:00:00,000 StorageService - LEAVING: streaming hints to other nodes
                        INFO  [RMI] 2026-11-24T15:00:01,000 StorageService - DECOMMISSIONED
                        INFO  [GossipStage:1] 2026-11-24T15:00:01,000 StorageService - Removing tokens [5] for /127.0.0.4:7000
                        """))
                .containsExactly("leaving: streaming hints to other nodes", "decommissioned", "removing its tokens");
    }

    @Test
    void otherLinesSayNothing() {
        assertThat(RingProgress.of("WARN  [main] 2026-11-24T15:00:00,000 StartupChecks - JMX is not enabled\n\n"))
                .isEmpty();
    }
}
