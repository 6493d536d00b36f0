/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.StreamId;
import org.meteorshower.protocol.TableStripes;

/**
 * Neighbouring releases in one cluster: which version of the messages' format two nodes use, and that each stays as it
 * is.
 */
class WireVersionsTest {
    private static final UUID TABLE = new UUID(0x1122334455667788L, 0x99aabbccddeeff00L);
    private static final long NOW = 1_000_000_001_000L;
    private static final Message REPORT = new Message.Tables(
            NOW,
            7,
            8,
            9,
            List.of(new Message.TableReport(TABLE, 1_000_000_000_100L, true, false, true, false, 0, false)));

    private final MessageCodec codec = new MessageCodec(StringUpdate.CODEC);

    /** As the first release wrote them: never to be changed. */
    private static Map<Message, String> frozenInVersion1() {
        PartitionKey key = new PartitionKey(TABLE, new byte[] {1, 2, 3});
        StreamId stream = new StreamId(7, 8, 9);
        MutationId id = new MutationId(1_000_000_000_500L, 0x0102030405060708L);
        Announcement announced = new Announcement(key, id, 1_000_000_000_400L, 5, 6, 1_000_000_000_600L);
        Map<Message, String> frozen = new LinkedHashMap<>();
        frozen.put(new Message.Subscribe(NOW, 7, 3), "01d0cfa8ca9a3a0e06");
        frozen.put(
                new Message.Snapshot(NOW, stream, 1_000_000_000_900L, 0, 1, List.of(announced)),
                "02d0cfa8ca9a3a0e1012c70100010100112233445566778899aabbccddeeff0003010203e7070102030405060708c801000000"
                        + "000000000005010000000000000006c801");
        frozen.put(
                new Message.StatusMessage(
                        NOW,
                        stream,
                        12,
                        1_000_000_000_999L,
                        List.of(announced),
                        List.of(List.of(), List.of(announced)),
                        new StreamId(8, 7, 2),
                        44,
                        new Message.Echo(1, 2, 3, 1_000_000_000_000L)),
                "03d0cfa8ca9a3a0e101218010100112233445566778899aabbccddeeff0003010203e7070102030405060708c8010000000000"
                        + "00000005010000000000000006c8010200010103010203000102030405060708c80101010000000000000006c8"
                        + "0101100e0458020406cf0f");
        frozen.put(REPORT, "04d0cfa8ca9a3a0e101201112233445566778899aabbccddeeff00c8c1a8ca9a3a01");
        frozen.put(new Message.ReRequest(NOW, stream, 3, 5), "05d0cfa8ca9a3a0e1012060a");
        frozen.put(
                new Message.WriteAck(NOW, key, 1_000_000_000_500L, 1_000_000_000_600L),
                "06d0cfa8ca9a3a112233445566778899aabbccddeeff0003010203e7079f06");
        frozen.put(
                new Message.Fetch(NOW, key, id),
                "08d0cfa8ca9a3a112233445566778899aabbccddeeff0003010203e8c7a8ca9a3a0102030405060708");
        frozen.put(
                new Message.Retired(NOW, List.of(new Message.RetiredMutation(key, id)), 1_000_000_000_700L),
                "09d0cfa8ca9a3a01112233445566778899aabbccddeeff0003010203e8c7a8ca9a3a0102030405060708d704");
        frozen.put(new Message.Pull(NOW), "0ad0cfa8ca9a3a");
        frozen.put(new Message.Stale(NOW, 7), "0bd0cfa8ca9a3a0e");
        return frozen;
    }

    @Test
    void version1IsWrittenAndReadAsTheFirstReleaseDid() throws BadMessageException {
        for (Map.Entry<Message, String> each : frozenInVersion1().entrySet()) {
            assertThat(HexFormat.of().formatHex(codec.encode(each.getKey(), 1))).isEqualTo(each.getValue());
            assertThat(codec.decode(HexFormat.of().parseHex(each.getValue()), 1))
                    .isEqualTo(each.getKey());
        }
    }

    /** Else what follows would test nothing. */
    @Test
    void version2WritesAReportOtherwise() throws BadMessageException {
        assertThat(HexFormat.of().formatHex(codec.encode(REPORT, 2)))
                .isEqualTo("04d0cfa8ca9a3a0e101201112233445566778899aabbccddeeff00870e01");
        assertThat(codec.decode(codec.encode(REPORT, 2), 1)).isNotEqualTo(REPORT);
    }

    /** What is new in it are parcels. */
    @Property(tries = 200)
    void version3IsVersion2WhereMessagesAreConcerned(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        assertThat(codec.encode(message, 3)).isEqualTo(codec.encode(message, 2));
    }

    /** And in this one a snapshot tells whether something is missing before it; besides messages of transactions. */
    @Property(tries = 200)
    void version4IsVersion3ButForSnapshots(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        if (!(message instanceof Message.Snapshot)) {
            assertThat(codec.encode(message, 4)).isEqualTo(codec.encode(message, 3));
        }
    }

    @Test
    void inVersion4ANodeThatWasLeftBehindComesBack() throws BadMessageException {
        Message.Snapshot behind = new Message.Snapshot(NOW, new StreamId(7, 8, 9), NOW - 10, 0, 1, List.of(), NOW - 20);
        assertThat(codec.decode(codec.encode(behind, 4), 4)).isEqualTo(behind);
        for (Message message : List.of(
                new Message.Returning(NOW, 7, 3, 0),
                new Message.Returning(NOW, 7, 3, NOW - 5),
                new Message.Awaited(NOW, 7, 3, NOW - 5, false),
                new Message.Awaited(NOW, 7, 3, NOW - 5, true))) {
            assertThat(codec.decode(codec.encode(message, 4), 4)).isEqualTo(message);
            assertThat(codec.decode(codec.encode(message, 3), 3)).isEqualTo(new Message.Pull(NOW));
        }
    }

    @Test
    void inVersion5AReportSaysWhatHasBeenRepaired() throws BadMessageException {
        Message repaired = new Message.Tables(
                NOW, 7, 8, 9, List.of(new Message.TableReport(TABLE, NOW - 5, false, false, true, false, 0, false)));
        Message unrepaired = new Message.Tables(
                NOW, 7, 8, 9, List.of(new Message.TableReport(TABLE, NOW - 5, false, false, false, false, 0, false)));
        assertThat(codec.decode(codec.encode(repaired, 5), 5)).isEqualTo(repaired);
        assertThat(codec.decode(codec.encode(unrepaired, 5), 5)).isEqualTo(unrepaired);
        assertThat(codec.decode(codec.encode(repaired, 4), 4)).isEqualTo(unrepaired);
    }

    /** And nothing else is new in it. */
    @Property(tries = 200)
    void version5IsVersion4ButForReports(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        if (!(message instanceof Message.Tables)) {
            assertThat(codec.encode(message, 5)).isEqualTo(codec.encode(message, 4));
        }
    }

    @Test
    void inVersion6AReportSaysWhatHasBeenCarriedOver() throws BadMessageException {
        Message carried = new Message.Tables(
                NOW,
                7,
                8,
                9,
                List.of(new Message.TableReport(TABLE, NOW - 5, false, false, false, true, NOW - 2, false)));
        Message not = new Message.Tables(
                NOW, 7, 8, 9, List.of(new Message.TableReport(TABLE, NOW - 5, false, false, false, false, 0, false)));
        assertThat(codec.decode(codec.encode(carried, 6), 6)).isEqualTo(carried);
        assertThat(codec.decode(codec.encode(not, 6), 6)).isEqualTo(not);
        assertThat(codec.decode(codec.encode(carried, 5), 5)).isEqualTo(not);
    }

    /** And nothing else is new in it. */
    @Property(tries = 200)
    void version6IsVersion5ButForReports(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        if (!(message instanceof Message.Tables)) {
            assertThat(codec.encode(message, 6)).isEqualTo(codec.encode(message, 5));
        }
    }

    @Test
    void inVersion8AReportSaysWhetherItsSenderWaitsForOthers() throws BadMessageException {
        Message held = new Message.Tables(
                NOW,
                7,
                8,
                9,
                List.of(new Message.TableReport(TABLE, NOW - 5, false, false, false, true, NOW - 2, true)));
        Message not = new Message.Tables(
                NOW,
                7,
                8,
                9,
                List.of(new Message.TableReport(TABLE, NOW - 5, false, false, false, true, NOW - 2, false)));
        assertThat(codec.decode(codec.encode(held, 8), 8)).isEqualTo(held);
        assertThat(codec.decode(codec.encode(not, 8), 8)).isEqualTo(not);
        assertThat(codec.decode(codec.encode(held, 7), 7)).isEqualTo(not);
    }

    /** And nothing else is new in it. */
    @Property(tries = 200)
    void version8IsVersion7ButForReports(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        if (!(message instanceof Message.Tables)) { // nor does any of these tell of leases
            assertThat(codec.encode(message, 8)).isEqualTo(codec.encode(message, 7));
        }
    }

    @Test
    void inVersion7AStatusMessageTellsOfLeases() throws BadMessageException {
        for (Message.Lease lease : List.of(
                Message.Lease.NONE,
                new Message.Lease(TableStripes.ALL, 0, 0, 0, Map.of()),
                new Message.Lease(0, 600_000, 7_000_000_000L, TableStripes.ALL, promised(TableStripes.ALL, 3)),
                new Message.Lease(
                        TableStripes.ALL,
                        600_000,
                        7_000_000_000L,
                        TableStripes.ALL,
                        promised(TableStripes.ALL, 2, 3)))) {
            assertThat(codec.decode(codec.encode(status(lease), 7), 7)).isEqualTo(status(lease));
            assertThat(codec.decode(codec.encode(status(lease), 6), 6)).isEqualTo(status(Message.Lease.NONE));
        }
    }

    private static Map<NodeId, Long> promised(long tables, int... nodes) {
        Map<NodeId, Long> promised = new HashMap<>();
        for (int node : nodes) {
            promised.put(NodeId.of(node), tables);
        }
        return promised;
    }

    @Test
    void inVersion8ItSaysForWhichTables() throws BadMessageException {
        Message some = status(new Message.Lease(5, 600_000, 7_000_000_000L, 1L << 63, promised(9, 2, 3)));
        Message all = status(new Message.Lease(
                TableStripes.ALL, 600_000, 7_000_000_000L, TableStripes.ALL, promised(TableStripes.ALL, 2, 3)));
        assertThat(codec.decode(codec.encode(some, 8), 8)).isEqualTo(some);
        assertThat(codec.decode(codec.encode(some, 7), 7)).isEqualTo(all);
        byte[] none = codec.encode(status(new Message.Lease(0, 600_000, 7_000_000_000L, 0, Map.of())), 8);
        assertThatThrownBy(() -> codec.decode(none, 8)).hasMessageContaining("a lease for no table");
    }

    @Test
    void andMutationsMayBeAskedForWhetherTheyAreComplete() throws BadMessageException {
        PartitionKey key = new PartitionKey(TABLE, new byte[] {1, 2, 3});
        MutationId id = new MutationId(NOW - 5, 7);
        for (Message message : List.of(new Message.WhetherComplete(NOW, key, id), new Message.Complete(NOW, key, id))) {
            assertThat(codec.decode(codec.encode(message, 7), 7)).isEqualTo(message);
            assertThat(codec.decode(codec.encode(message, 6), 6)).isEqualTo(new Message.Pull(NOW));
        }
    }

    private static Message status(Message.Lease lease) {
        return status(lease, List.of());
    }

    private static Message carrying(Long... receipts) {
        return status(Message.Lease.NONE, List.of(receipts));
    }

    private static Message status(Message.Lease lease, List<Long> receipts) {
        return new Message.StatusMessage(
                NOW,
                new StreamId(7, 8, 9),
                12,
                NOW - 1,
                List.of(),
                List.of(),
                null,
                44,
                new Message.Echo(1, 2, 3, NOW),
                lease,
                receipts);
    }

    @Test
    void fromVersion14OnAStatusMessageCarriesReceipts() throws BadMessageException {
        Message some = carrying(5L, 7L, 6L, Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(codec.decode(codec.encode(some, 14), 14)).isEqualTo(some);
        assertThat(codec.decode(codec.encode(some, 13), 13)).isEqualTo(carrying());
    }

    /** And nothing else is new in it. */
    @Property(tries = 200)
    void version7IsVersion6ButForStatusMessages(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        if (!(message instanceof Message.StatusMessage)) {
            assertThat(codec.encode(message, 7)).isEqualTo(codec.encode(message, 6));
        }
    }

    @Property(tries = 200)
    void versions9And10AreVersion8(@ForAll long seed) {
        Message message = new RandomMessages(seed).next();
        assertThat(codec.encode(message, 9)).isEqualTo(codec.encode(message, 8));
        assertThat(codec.encode(message, 10)).isEqualTo(codec.encode(message, 8));
    }

    @Property(tries = 2_000)
    void everyMessageComesBackAsItWasInEachVersion(@ForAll long seed) throws BadMessageException {
        Message message = new RandomMessages(seed).next();
        for (int version = WireVersions.ALL.oldest(); version <= WireVersions.ALL.newest(); version++) {
            assertThat(codec.decode(codec.encode(message, version), version)).isEqualTo(message);
        }
    }

    @Test
    void theNewestVersionThatBothSpeakIsUsed() throws RefusedException {
        assertThat(new WireVersions(1, 2).common(new WireVersions(2, 3))).isEqualTo(2);
        assertThat(new WireVersions(2, 3).common(new WireVersions(1, 2))).isEqualTo(2);
        assertThat(new WireVersions(1, 3).common(new WireVersions(1, 2))).isEqualTo(2);
        assertThat(WireVersions.ALL.common(WireVersions.ALL)).isEqualTo(14);
    }

    @Test
    void whereThereIsNoneTheRefusalSaysWhatBothSpeakAndWhatToDo() {
        assertThatThrownBy(() -> new WireVersions(1, 2).common(new WireVersions(3, 4)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("versions 3 to 4")
                .hasMessageContaining("versions 1 to 2")
                .hasMessageContaining("install the same plugin");
        assertThatThrownBy(() -> WireVersions.upTo(15)).hasMessageContaining("version 15 is none of versions 1 to 14");
    }

    private static TestNode speaking(TestNode.Cluster cluster, long number, InetSocketAddress at, WireVersions versions)
            throws Exception {
        UnaryOperator<TransportOptions> change = options -> new TransportOptions(
                options.clusterName(),
                options.node(),
                options.incarnation(),
                options.dataCenter(),
                options.listen(),
                options.tls(),
                options.secret(),
                options.authenticator(),
                options.limits(),
                versions);
        return new TestNode(cluster, number, at, change, null);
    }

    private static void assertThatReportsArrive(TestNode from, TestNode to) throws InterruptedException {
        TestNode.connect(from, to);
        from.transport.send(to.id, REPORT);
        TestNode.await(() -> to.received.contains(REPORT));
    }

    /** Each node goes to the newer version, one after the other, and everybody understands everybody all the time. */
    @Test
    void nodesAreUpgradedOneAfterTheOtherWhileTheyTalk() throws Exception {
        TestNode.Cluster cluster = new TestNode.Cluster();
        InetSocketAddress first = TestNode.freePort(1);
        InetSocketAddress second = TestNode.freePort(2);
        WireVersions older = WireVersions.upTo(1);
        try (TestNode one = speaking(cluster, 1, first, older)) {
            try (TestNode two = speaking(cluster, 2, second, older)) {
                assertThatReportsArrive(one, two);
                assertThatReportsArrive(two, one);
            }
            try (TestNode two = speaking(cluster, 2, second, WireVersions.ALL)) {
                assertThatReportsArrive(one, two);
                assertThatReportsArrive(two, one);
            }
        }
        try (TestNode two = speaking(cluster, 2, second, WireVersions.ALL)) {
            try (TestNode one = speaking(cluster, 1, first, older)) {
                assertThatReportsArrive(two, one);
            }
            // Its connection knew the older version; what it sends until it knows better is lost, as messages may be.
            try (TestNode one = speaking(cluster, 1, first, WireVersions.ALL)) {
                assertThatReportsArrive(one, two);
                assertThatReportsArrive(two, one);
            }
        }
    }

    private static void sendParcels(TestNode from, TestNode to) {
        from.transport.parcel(to.id, TestNode.bytes("always"), WireVersions.ANY, true);
        from.transport.parcel(to.id, TestNode.bytes("new"), WireVersions.since(3), true);
        from.transport.parcel(to.id, TestNode.bytes("old"), new WireVersions(1, 2), true);
        from.transport.parcel(to.id, TestNode.bytes("last"), WireVersions.ANY, true);
    }

    /**
     * Each sends by the connection that it has opened, and by the other's; and what is written for one version waits
     * while the next connection comes.
     */
    @Test
    void aParcelGoesByNoConnectionThatDoesNotKnowIt() throws Exception {
        TestNode.Cluster cluster = new TestNode.Cluster();
        InetSocketAddress second = TestNode.freePort(2);
        try (TestNode one = speaking(cluster, 1, TestNode.freePort(1), WireVersions.ALL)) {
            for (int newest : new int[] {2, 3, 1, 3}) {
                try (TestNode two = speaking(cluster, 2, second, WireVersions.upTo(newest))) {
                    String in = " in " + newest;
                    TestNode.await(() -> {
                        sendParcels(one, two); // the version of a connection that stands no more, at first
                        sendParcels(two, one);
                        return one.transport.version(two.id) == newest
                                && two.transport.version(one.id) == newest
                                && Collections.frequency(two.parcels, "last" + in) > 4
                                && Collections.frequency(one.parcels, "last" + in) > 4;
                    });
                    for (TestNode each : List.of(one, two)) {
                        assertThat(List.copyOf(each.parcels))
                                .contains("always" + in, (newest < 3 ? "old" : "new") + in)
                                .doesNotContain((newest < 3 ? "new" : "old") + in);
                    }
                    one.parcels.clear();
                }
            }
        }
    }

    @Test
    void nodesWithoutACommonVersionDoNotTalkAndCountIt() throws Exception {
        TestNode.Cluster cluster = new TestNode.Cluster();
        try (TestNode one = speaking(cluster, 1, TestNode.freePort(1), new WireVersions(1, 1));
                TestNode two = speaking(cluster, 2, TestNode.freePort(2), new WireVersions(2, 2))) {
            TestNode.await(() -> {
                one.transport.send(NodeId.of(2), REPORT);
                return two.transport.counters().refused.sum() > 0
                        && one.transport.counters().refusedByPeer.sum() > 0;
            });
            assertThat(two.received).isEmpty();
        }
    }
}
