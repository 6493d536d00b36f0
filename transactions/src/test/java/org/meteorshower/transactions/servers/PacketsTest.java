/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.transactions.servers.Bench.A0;
import static org.meteorshower.transactions.servers.Bench.A1;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;
import static org.meteorshower.transactions.servers.Bench.row;
import static org.meteorshower.transactions.servers.Bench.slice;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Again;
import org.meteorshower.transactions.servers.ChainMessage.Ask;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Ended;
import org.meteorshower.transactions.servers.ChainMessage.Forward;
import org.meteorshower.transactions.servers.ChainMessage.Progress;
import org.meteorshower.transactions.servers.ChainMessage.Slices;
import org.meteorshower.transactions.servers.ChainMessage.Told;

/** Messages between chain servers as bytes, many to a packet. */
class PacketsTest {
    private static final ChainCodec CODEC = new ChainCodec(2);
    private static final Again AGAIN = new Again(ChainMessage.SEQUENCER, 1, 7);

    private final Map<Integer, List<byte[]>> sent = new TreeMap<>();

    private Packets packets(int fullBytes) {
        return new Packets(CODEC, fullBytes, (packet, node) -> sent.computeIfAbsent(node, first -> new ArrayList<>())
                .add(packet));
    }

    private static byte[] packet(ChainMessage... messages) {
        List<byte[]> made = new ArrayList<>();
        Packets packets = new Packets(CODEC, 1 << 20, (packet, node) -> made.add(packet));
        for (ChainMessage message : messages) {
            packets.add(0, message);
        }
        packets.flush();
        return made.get(0);
    }

    private static List<ChainMessage> all() {
        return List.of(
                new Slices(
                        3,
                        1,
                        5,
                        9,
                        List.of(slice(5, once(copy(A0, A1))), slice(8, once(copy(A1, A0)), once(copy(A1, A1)))),
                        4,
                        9,
                        5,
                        List.of(5L, 6L)),
                new Progress(1, new Life(7, 2, 1), 9, 8, -1, Row.NEVER, 1 << 20),
                new Progress(0, new Life(7, 2, 1), RangeServer.NOT_BEGUN, RangeServer.NOT_BEGUN, 4, 99, 0),
                new Forward(Version.of(5, 0), 0, 1, Map.of(A0, row(3), Bench.B0, Row.ABSENT)),
                new Backward(Version.of(5, 0), 1, 0, 2, Map.of()),
                new Ask(Version.of(5, 0), 1, 0, 1, missing()),
                new Told(Version.of(5, 0), 1, 1, 0, Map.of(A1, row(3)), 77),
                new Ended(Version.of(5, 0), 1, new Outcome.Committed(List.of(Value.of(1), Value.NOTHING)), -5),
                new Ended(Version.of(5, 1), 1, new Outcome.Aborted(Outcome.Reason.ERROR, "why"), 5),
                new Again(0, 1, 7),
                AGAIN);
    }

    @Test
    void everyMessageComesBackAsItWasInTheirOrder() throws BadDataException {
        assertThat(Packets.read(packet(all().toArray(ChainMessage[]::new)), CODEC))
                .isEqualTo(all());
    }

    /** Where this fails messages are written otherwise: that is another version. */
    @Test
    void theBytesOfVersion2StayAsTheyAre() {
        assertThat(HexFormat.of().formatHex(packet(all().toArray(ChainMessage[]::new))))
                .isEqualTo("02ba01010301050402000005010005000000000000003100000000000000309c0a250300010201740261"
                        + "31017605000d0c0201740261300176010100020174026130017601010202000802000500000000000000"
                        + "3000000000000000319c0a25030001020174026130017605000d0c020174026131017601010002017402"
                        + "61310176010102000300000000000000319c0a25030001020174026131017605000d0c02017402613101"
                        + "7601010002017402613101760101020409050205061402010702010a0900ffffffffffffffff7f808040"
                        + "0a02000702010000056300170380c00100010201740261300101760106017402623000080480c0010100"
                        + "0200500780c0010100010101740261310300017402703101030801000101130400000005000107010174"
                        + "027031010308010001011304000000050001000001740270310103080100010113040000000500010013"
                        + "0880c00101010001017402613101017601064d140580c0010106010002010200fffffffffffffffb1505"
                        + "81c001010702000103776879000000000000000504060101070406000107");
    }

    private static Holdings.Missing missing() {
        Range range = new Range(
                new Partition("t", "p1"),
                new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, true))),
                Range.Edge.OPEN,
                new Range.Edge(List.of(new Value.Typed(Kind.INT, Bytes.copyOf(new byte[] {0, 0, 0, 5}))), false),
                true,
                7);
        return new Holdings.Missing(Set.of(A1), new LinkedHashSet<>(List.of(range, range.many(), range.all())));
    }

    @Test
    void aMessageIsToTheRangeThatItNamesOrToTheSequencer() {
        assertThat(all()).extracting(ChainMessage::to).containsExactly(1, -1, -1, 1, 0, 1, 0, -1, -1, 1, 1);
    }

    @Test
    void aPacketIsForOneNodeAndGoesWhenTheStepIsOver() throws BadDataException {
        Packets packets = packets(1 << 20);
        packets.add(1, AGAIN);
        packets.add(2, AGAIN);
        packets.add(1, AGAIN);
        assertThat(sent).isEmpty();

        packets.flush();
        packets.flush();
        assertThat(sent.get(1)).hasSize(1);
        assertThat(Packets.read(sent.get(1).get(0), CODEC)).containsExactly(AGAIN, AGAIN);
        assertThat(sent.get(2)).hasSize(1);
    }

    @Test
    void aFullOneGoesAtOnce() throws BadDataException {
        Packets packets = packets(12);
        for (int i = 0; i < 5; i++) {
            packets.add(1, AGAIN);
        }
        assertThat(sent.get(1)).hasSize(1).allSatisfy(packet -> assertThat(packet)
                .hasSizeLessThan(12 + packet(AGAIN).length));

        packets.flush();
        assertThat(sent.get(1)).hasSize(2);
        assertThat(Packets.read(sent.get(1).get(1), CODEC)).hasSize(2);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] packet = packet(AGAIN);
        packet[0] = 3;

        assertThatThrownBy(() -> Packets.read(packet, CODEC))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("version 3");
    }

    private static void isRefused(DataOut message, String why) {
        byte[] packet =
                new DataOut().u8(Packets.VERSION).sized(message.toBytes()).toBytes();

        assertThatThrownBy(() -> Packets.read(packet, CODEC))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining(why);
    }

    private static DataOut numbers(long... numbers) {
        DataOut out = new DataOut();
        for (long number : numbers) {
            out.varint(number);
        }
        return out;
    }

    @Test
    void whatIsNoMessageIsRefused() {
        isRefused(numbers(), "truncated");
        isRefused(numbers(9), "kind 9");
        isRefused(numbers(ChainCodec.AGAIN, 0, 2, 7), "a range is 2");
        isRefused(numbers(ChainCodec.AGAIN, 3, 1, 7), "who asks is 3");
        isRefused(numbers(ChainCodec.AGAIN, 0, 1, -7), "a count is negative");
        isRefused(numbers(ChainCodec.AGAIN, 0, 1, 7, 0), "1 bytes too many");
        isRefused(numbers(ChainCodec.ASK, 7, 16, 0, 1), "a question is 16");
        isRefused(numbers(ChainCodec.BACKWARD, 7, 0, 1, 17), "questions is 17");
    }

    @Test
    void slicesOfCountsThatAreNotToldAreRefused() {
        int slices = ChainCodec.SLICES;
        isRefused(numbers(slices, 1, 0, 5, Long.MAX_VALUE), "too many counts");
        isRefused(numbers(slices, 1, 0, 5, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0), "not told, up to 7");
        isRefused(numbers(slices, 1, 0, 5, 1, 1, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0, 0), "too large");
    }

    /** An entry has no more, and a version has no room for them. */
    @Test
    void submissionsBeyondAnEntryAreRefused() {
        isRefused(numbers(ChainCodec.SLICES, 1, 0, 5, 1, 1, 0, 0, 0, 2, 4_095, 1, 0, 0, 0, 1, 0, 0), "submission 4096");
    }

    @Test
    void rowsThatAreNotInTheirOrderAreRefused() {
        DataOut twice = numbers(ChainCodec.FORWARD, 7, 0, 1, 2);
        for (int i = 0; i < 2; i++) {
            twice.text("t").text("k").varint(0);
        }
        isRefused(twice, "not in their order");
    }

    @Test
    void anAnswerThatIsNoOutcomeIsRefused() {
        isRefused(numbers(ChainCodec.ENDED, 7, 0).sized(new byte[] {4, 0}).fixed64(1), "no outcome");
    }
}
