/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

class ForwardedReadFormTest {
    private final SinglePartitionReadCommand command =
            SinglePartitionReadCommand.fullPartitionRead(TestTables.PAIRS, 0, UTF8Type.instance.decompose("key"));

    @Test
    void aRequestComesBackAsItWas() {
        ReadRequest request = new ReadRequest(command, 77, ReadMode.bounded(5), 1_000, false);
        ReadRequest decoded = ReadRequest.decode(request.encode());
        assertThat(decoded.tokenMicros()).isEqualTo(77);
        assertThat(decoded.mode()).isEqualTo(ReadMode.bounded(5));
        assertThat(decoded.remainingMicros()).isEqualTo(1_000);
        assertThat(decoded.command().partitionKey()).isEqualTo(command.partitionKey());
        assertThat(decoded.command().metadata().id).isEqualTo(TestTables.PAIRS.id);
    }

    /** What asks for it is behind all that earlier releases read. */
    @Test
    void aRequestMayAskForTheTimeThatTheReplicaTakes() {
        byte[] request = new ReadRequest(command, 77, ReadMode.STRICT, 1_000, true).encode();
        assertThat(ReadRequest.decode(request).timed()).isTrue();
        byte[] earlier = new ReadRequest(command, 77, ReadMode.STRICT, 1_000, false).encode();
        assertThat(ReadRequest.decode(earlier).timed()).isFalse();
        assertThat(request).hasSize(earlier.length + 1);
        assertThat(Arrays.copyOfRange(request, 5, earlier.length))
                .isEqualTo(Arrays.copyOfRange(earlier, 5, earlier.length));
    }

    @Test
    void anAnswerMayTellTheTimeThatTheReplicaTook() {
        byte[] answer = ReadResponse.encode(new RequestRefusedException(Failure.CLOCK, "the clocks differ"));
        byte[] timed = TimedAnswer.of(1_234, answer);
        assertThat(TimedAnswer.servedMicros(timed)).isEqualTo(1_234);
        assertThat(TimedAnswer.content(timed)).isEqualTo(answer);
        assertThat(TimedAnswer.servedMicros(answer)).isZero();
        assertThat(TimedAnswer.content(answer)).isEqualTo(answer);
    }

    @Test
    void rowsComeBackAsTheyWere() throws RequestRefusedException {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.PAIRS, "key")
                .timestamp(4)
                .nowInSec(1);
        builder.row().add("a", "x");
        PartitionUpdate update = builder.build();
        ImmutableBTreePartition rows = ImmutableBTreePartition.create(update.unfilteredIterator(
                ColumnFilter.all(TestTables.PAIRS), org.apache.cassandra.db.Slices.ALL, false));
        ReadInfo info = new ReadInfo(9, Served.WAITED, 3);
        FetchedPartition decoded =
                ReadResponse.decode(command, ReadResponse.encode(command, new FetchedPartition(rows, info)));
        assertThat(decoded.info()).isEqualTo(info);
        assertThat(decoded.rows().rowCount()).isEqualTo(1);
        assertThat(ReadResponse.decode(command, ReadResponse.encode(command, new FetchedPartition(null, info)))
                        .rows())
                .isNull();

        SinglePartitionReadCommand other =
                SinglePartitionReadCommand.fullPartitionRead(TestTables.PAIRS, 0, UTF8Type.instance.decompose("other"));
        byte[] answer = ReadResponse.encode(command, new FetchedPartition(rows, info));
        assertThatThrownBy(() -> ReadResponse.decode(other, answer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another partition");
    }

    /** The first is found out when it is written, the second before. */
    @ParameterizedTest
    @ValueSource(ints = {9, 40})
    void moreRowsThanOneNodeAsksOfAnotherAreRefused(int megabytes) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.PAIRS, "key")
                .timestamp(4)
                .nowInSec(1);
        builder.row().add("a", "x".repeat(megabytes << 20));
        ImmutableBTreePartition rows = ImmutableBTreePartition.create(builder.build()
                .unfilteredIterator(ColumnFilter.all(TestTables.PAIRS), org.apache.cassandra.db.Slices.ALL, false));
        FetchedPartition large = new FetchedPartition(rows, new ReadInfo(9, Served.LOCAL, 3));

        assertThatThrownBy(() -> ReadResponse.encode(command, large))
                .isInstanceOfSatisfying(RequestRefusedException.class, e -> assertThat(e.failure())
                        .isEqualTo(Failure.OVERLOADED))
                .hasMessageContaining("use a smaller page");
    }

    @Test
    void aRefusalComesBackAsItWas() {
        byte[] refused = ReadResponse.encode(new RequestRefusedException(Failure.CLOCK, "the clocks differ"));
        assertThatThrownBy(() -> ReadResponse.decode(command, refused))
                .isInstanceOfSatisfying(RequestRefusedException.class, e -> assertThat(e.failure())
                        .isEqualTo(Failure.CLOCK))
                .hasMessage("the clocks differ");
    }

    @Test
    void everyTruncatedRequestOrAnswerIsRefused() {
        byte[] request = new ReadRequest(command, 77, ReadMode.STRICT, 1_000, true).encode();
        for (int length = 0; length < request.length; length++) {
            byte[] cut = Arrays.copyOf(request, length);
            assertThatThrownBy(() -> ReadRequest.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] answer = ReadResponse.encode(new RequestRefusedException(Failure.CLOCK, "x"));
        for (int length = 0; length < answer.length; length++) {
            byte[] cut = Arrays.copyOf(answer, length);
            assertThatThrownBy(() -> ReadResponse.decode(command, cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
