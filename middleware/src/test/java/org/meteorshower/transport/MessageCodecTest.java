/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.StreamId;

class MessageCodecTest {
    private final MessageCodec codec = new MessageCodec(StringUpdate.CODEC);

    @Property(tries = 5_000)
    void everyMessageComesBackAsItWas(@ForAll long seed) throws BadMessageException {
        Message message = new RandomMessages(seed).next();
        assertThat(codec.decode(codec.encode(message))).isEqualTo(message);
    }

    @Property(tries = 300)
    void noPartOfAMessageAndNothingBehindItPasses(@ForAll long seed) {
        byte[] bytes = codec.encode(new RandomMessages(seed).next());
        for (int length = 0; length < bytes.length; length++) {
            byte[] part = Arrays.copyOf(bytes, length);
            // The shorter text of an update may be an update of its own; the count before it tells.
            assertThatThrownBy(() -> codec.decode(part)).isInstanceOf(BadMessageException.class);
        }
        assertThatThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(BadMessageException.class);
    }

    @Test
    void randomBytesAreRefusedOrReadButNothingElse() {
        Random random = new Random(7);
        int read = 0;
        for (int i = 0; i < 300_000; i++) {
            byte[] bytes = new byte[random.nextInt(120)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) random.nextInt(13);
            }
            read += reads(bytes);
        }
        assertThat(read).isGreaterThan(100);
    }

    @Test
    void damagedMessagesAreRefusedOrReadButNothingElse() {
        Random random = new Random(8);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = codec.encode(new RandomMessages(i).next());
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            var unused = reads(bytes);
        }
    }

    @Test
    void aCountThatTheBytesCannotHoldIsRefusedBeforeAnythingIsAllocated() {
        byte[] bytes = new WireOutput(64)
                .u8(9)
                .signed(5)
                .varint(Integer.MAX_VALUE)
                .raw(new byte[40])
                .toBytes();
        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(BadMessageException.class)
                .hasMessageContaining("number of retired mutations is 2147483647");
    }

    @Test
    void anUnknownTypeIsNamed() {
        assertThatThrownBy(() -> codec.decode(new byte[] {99, 0}))
                .isInstanceOf(BadMessageException.class)
                .hasMessageContaining("type 99");
    }

    @Test
    void anUpdateOfAnUnknownTableIsToldApartFromABadMessage() {
        byte[] bytes = codec.encode(new Message.Settle(1, new StringUpdate("unknown table")));
        assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(UndecodableUpdateException.class);
    }

    @Test
    void anAnnouncementOfAnOrdinaryWriteTakesAFewBytes() {
        List<Announcement> payload = new ArrayList<>();
        UUID table = UUID.randomUUID();
        long nowMicros = 1_700_000_000_000_000L;
        for (int i = 0; i < 100; i++) {
            long micros = nowMicros + i * 97L;
            payload.add(new Announcement(
                    new PartitionKey(table, new byte[10]), new MutationId(micros, i), micros, 5, 99, micros + 800));
        }
        byte[] bytes = codec.encode(new Message.StatusMessage(
                nowMicros,
                new StreamId(1, 1, 1),
                1,
                nowMicros,
                payload,
                List.of(),
                null,
                0,
                new Message.Echo(1, 2, 3, nowMicros)));
        System.out.println("bench: an announcement takes " + bytes.length / 100 + " bytes, 18 of them key and hashes");
        assertThat(bytes.length).isLessThan(100 * 40);
    }

    private int reads(byte[] bytes) {
        try {
            assertThat(codec.decode(bytes)).isNotNull();
            return 1;
        } catch (BadMessageException e) {
            return 0;
        }
    }
}
