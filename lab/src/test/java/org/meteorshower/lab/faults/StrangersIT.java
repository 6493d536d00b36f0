/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What comes in at the transport's port and is not what it should be. The node hangs up, says why in its log, and
 * lives.
 */
@ExtendWith(ThreeNodes.class)
final class StrangersIT {
    private static final String CLUSTER = "meteorshower";
    private static final UUID NOBODY = new UUID(1, 2);

    private static TestCluster cluster;
    private static String eu;
    private static String asia;
    private static UUID euId;
    private static UUID asiaId;

    @BeforeAll
    static void table() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("strangers", "id int PRIMARY KEY, v int");
        eu = cluster.nodes().node("eu-1").address();
        asia = cluster.nodes().node("asia-1").address();
        euId = hostId("eu");
        asiaId = hostId("asia");
    }

    @AfterEach
    void allGoOn() throws Exception {
        ThreeNodes.assertServing("strangers", "eu", "us", "asia");
    }

    @Test
    void garbageIsHungUpOn() throws Exception {
        Random random = new Random(5);
        for (int i = 0; i < 30; i++) {
            byte[] garbage = new byte[5 + random.nextInt(5_000)];
            random.nextBytes(garbage);
            if (i % 2 == 0) {
                // A length that may be, so that what follows is looked at.
                ByteBuffer.wrap(garbage).putInt(0, garbage.length - 4);
            }
            try (Wire wire = new Wire(eu, asia)) {
                wire.write(garbage);
                wire.end();
                wire.awaitHangUp();
            }
        }
        assertLogged("sent bytes that make no sense");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 4_097})
    void anAbsurdLengthIsHungUpOnBeforeItsBytesCome(int length) throws Exception {
        try (Wire wire = new Wire(eu, outside())) {
            wire.write(ByteBuffer.allocate(4).putInt(length).array());
            wire.awaitHangUp();
        }
        assertLogged(outside(), "are allowed");
    }

    @Test
    void aTruncatedFrameIsHungUpOn() throws Exception {
        byte[] hello = Wire.frame(Wire.HELLO, Wire.hello(Wire.VERSION, CLUSTER, asiaId, euId));
        try (Wire wire = new Wire(eu, asia)) {
            wire.write(Arrays.copyOf(hello, hello.length / 2));
            wire.end();
            wire.awaitHangUp();
        }
        // Half a greeting in a whole frame.
        try (Wire wire = new Wire(eu, asia)) {
            wire.write(Wire.frame(Wire.HELLO, Arrays.copyOfRange(hello, 5, hello.length / 2)));
            wire.awaitHangUp();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Wire.WELCOME, Wire.PROOF, 5, Wire.MESSAGE, 99, 255})
    void aFrameThatHasNoPlaceInTheHandshakeIsHungUpOn(int type) throws Exception {
        try (Wire wire = new Wire(eu, asia)) {
            wire.write(Wire.frame(type, new byte[] {1, 2, 3}));
            wire.awaitHangUp();
        }
    }

    @Test
    void aMessageOfUnknownTypeFromAMemberIsHungUpOn() throws Exception {
        try (Wire wire = new Wire(eu, asia)) {
            byte[] hello = Wire.hello(Wire.VERSION, CLUSTER, asiaId, euId);
            wire.write(Wire.frame(Wire.HELLO, hello));
            WireKeys keys = new WireKeys(ThreeNodes.SECRET, hello, wire.read().content());
            wire.write(Wire.frame(Wire.PROOF, keys.proof()));
            wire.write(keys.firstFrame(Wire.MESSAGE, new byte[] {120, 1, 2, 3}));
            wire.awaitHangUp();
        }
        assertLogged("sent bytes that make no sense");
    }

    @Test
    void aHandshakeThatWasRecordedCannotBePlayedAgain() throws Exception {
        byte[] hello = Wire.hello(Wire.VERSION, CLUSTER, asiaId, euId);
        byte[] recorded;
        try (Wire wire = new Wire(eu, asia)) {
            wire.write(Wire.frame(Wire.HELLO, hello));
            WireKeys keys = new WireKeys(ThreeNodes.SECRET, hello, wire.read().content());
            recorded = Wire.frame(Wire.PROOF, keys.proof());
            wire.write(recorded);
        }
        try (Wire wire = new Wire(eu, asia)) {
            wire.write(Wire.frame(Wire.HELLO, hello));
            assertThat(wire.read().type()).isEqualTo(Wire.WELCOME);
            wire.write(recorded);
            Wire.Frame answer = wire.read();
            assertThat(answer.type()).isEqualTo(Wire.REFUSED);
            assertThat(answer.text()).contains("shared secret differs");
            wire.awaitHangUp();
        }
        assertLogged("Refused a connection", "shared secret differs");
    }

    @Test
    void anotherVersionIsRefusedByName() throws Exception {
        refused(
                asia,
                Wire.hello(Wire.UNKNOWN_VERSION, CLUSTER, asiaId, euId),
                "version " + Wire.UNKNOWN_VERSION,
                "same plugin on both");
    }

    @Test
    void anotherClusterIsRefusedByName() throws Exception {
        refused(asia, Wire.hello(Wire.VERSION, "another", asiaId, euId), "cluster 'another'", CLUSTER);
    }

    @Test
    void whoIsNoMemberIsRefused() throws Exception {
        refused(outside(), Wire.hello(Wire.VERSION, CLUSTER, NOBODY, euId), NOBODY.toString(), "not a member");
    }

    @Test
    void aMembersNameFromAnotherAddressIsRefused() throws Exception {
        refused(outside(), Wire.hello(Wire.VERSION, CLUSTER, asiaId, euId), asia, outside());
    }

    @Test
    void whoMeansAnotherNodeIsRefused() throws Exception {
        refused(asia, Wire.hello(Wire.VERSION, CLUSTER, asiaId, NOBODY), "is looked for");
    }

    private static void refused(String from, byte[] hello, String... because) throws Exception {
        try (Wire wire = new Wire(eu, from)) {
            wire.write(Wire.frame(Wire.HELLO, hello));
            Wire.Frame answer = wire.read();
            assertThat(answer.type()).isEqualTo(Wire.REFUSED);
            assertThat(answer.text()).contains(because);
            wire.awaitHangUp();
        }
        assertLogged(because);
    }

    /** Somewhere in its log: a node does not say the same of the same neighbour twice a minute. */
    private static void assertLogged(String... words) throws Exception {
        NodeLog.of(cluster, "eu-1").awaitWarning(words);
    }

    /** An address of this machine at which no node is. */
    private static String outside() {
        return eu.substring(0, eu.lastIndexOf('.')) + ".99";
    }

    private static UUID hostId(String dc) {
        return cluster.cql(dc).execute("SELECT host_id FROM system.local").one().getUuid(0);
    }
}
