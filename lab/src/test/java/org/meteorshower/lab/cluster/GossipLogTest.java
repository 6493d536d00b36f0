/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GossipLogTest {
    private static final String UP = "INFO  [GossipStage:1] Gossiper - InetAddress /127.0.0.%d:7000 is now UP\n";
    private static final String DOWN = "INFO  [GossipTasks:1] Gossiper - InetAddress /127.0.0.%d:7000 is now DOWN\n";
    private static final String IN_RING =
            "DEBUG [GossipStage:1] StorageService - Node /127.0.0.%d:7000 state NORMAL, token [1]\n";

    @TempDir
    private Path folder;

    @Test
    void theLastChangeOfEachPeerCounts() throws Exception {
        GossipLog gossip = new GossipLog(log());
        assertThat(gossip.peersUp()).isEmpty();
        append(IN_RING.formatted(2) + IN_RING.formatted(3));
        append(UP.formatted(2) + UP.formatted(3) + DOWN.formatted(2));
        assertThat(gossip.peersUp()).containsExactly("127.0.0.3");
        append(UP.formatted(2));
        assertThat(gossip.peersUp()).containsExactlyInAnyOrder("127.0.0.2", "127.0.0.3");
    }

    @Test
    void aPeerThatIsUpCountsOnceItIsInTheRing() throws Exception {
        GossipLog gossip = new GossipLog(log());
        append(UP.formatted(2));
        assertThat(gossip.peersUp()).isEmpty();
        append(IN_RING.formatted(2));
        assertThat(gossip.peersUp()).containsExactly("127.0.0.2");
    }

    @Test
    void whatWasLoggedBeforeDoesNotCount() throws Exception {
        append(IN_RING.formatted(2) + UP.formatted(2));
        assertThat(new GossipLog(log()).peersUp()).isEmpty();
    }

    @Test
    void aLineIsReadWhenItIsComplete() throws Exception {
        GossipLog gossip = new GossipLog(log());
        append(IN_RING.formatted(2));
        String line = UP.formatted(2);
        append(line.substring(0, 40));
        assertThat(gossip.peersUp()).isEmpty();
        append(line.substring(40));
        assertThat(gossip.peersUp()).containsExactly("127.0.0.2");
    }

    @Test
    void aRolledLogIsReadFromItsStart() throws Exception {
        append("x".repeat(1000) + "\n");
        GossipLog gossip = new GossipLog(log());
        Files.writeString(log(), IN_RING.formatted(4) + UP.formatted(4));
        assertThat(gossip.peersUp()).containsExactly("127.0.0.4");
    }

    private Path log() {
        return folder.resolve("system.log");
    }

    private void append(String text) throws Exception {
        Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
