/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.StreamId;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.transport.BadMessageException;
import org.meteorshower.transport.MessageCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Status messages to bytes and back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class CodecBenchmark {
    /** Of the message, and as many again in its redundant part. */
    @Param({"0", "1", "32"})
    public int announcements;

    private final MessageCodec codec = new MessageCodec(new NoUpdates());
    private Message message = new Message.Pull(0);
    private byte[] bytes = {};

    @Setup
    public void build() {
        List<Announcement> payload = new ArrayList<>();
        for (int i = 0; i < announcements; i++) {
            payload.add(
                    Announcement.of(Value.of(Value.key(i), 1_700_000_000_000_000L + i), 1_700_000_000_050_000L + i));
        }
        message = new Message.StatusMessage(
                1_700_000_000_060_000L,
                new StreamId(3, 4, 5),
                1_000,
                1_700_000_000_060_000L,
                payload,
                List.of(payload),
                new StreamId(4, 3, 6),
                999,
                new Message.Echo(1, 2, 3, 4));
        bytes = codec.encode(message);
    }

    @Benchmark
    public byte[] encode() {
        return codec.encode(message);
    }

    @Benchmark
    public Message decode() throws BadMessageException {
        return codec.decode(bytes);
    }

    /** Status messages carry none. */
    private static final class NoUpdates implements UpdateCodec {
        @Override
        public byte[] encode(Update update) {
            throw new IllegalArgumentException("no updates here");
        }

        @Override
        public Update decode(ByteBuffer encoded) {
            throw new IllegalArgumentException("no updates here");
        }
    }
}
