/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.cassandra.tables.MissedElsewhere;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Placement;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a node that was left behind ask each of those that did so what it missed, and answers such calls. Where there is
 * no answer, as from an earlier release, it may have missed anything. Thread-safe.
 */
public final class MissedCalls implements MissedElsewhere {
    private static final Logger log = LoggerFactory.getLogger(MissedCalls.class);

    /** Forwarded reads and transactions' calls begin with other numbers. */
    private static final byte FORM = 2;

    private static final byte SOME = 0;
    private static final byte ANYTHING = 1;
    private static final int HEAD = 1 + Integer.BYTES;
    private static final int REQUEST_BYTES = HEAD + 2 * Long.BYTES;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Transport transport;
    private final MeteorShower meteorShower;

    public MissedCalls(Transport transport, MeteorShower meteorShower) {
        this.transport = transport;
        this.meteorShower = meteorShower;
    }

    @Override
    public @Nullable BitSet at(NodeId source, UUID name) throws InterruptedException {
        try {
            return decode(transport.call(source, request(name), TIMEOUT).get());
        } catch (ExecutionException | IllegalArgumentException e) {
            log.info("MeteorShower: what {} has that this node missed is not known ({}); all is compared", source, e);
            return null;
        }
    }

    public static boolean isOne(byte[] request) {
        return request.length > 0 && request[0] == FORM;
    }

    /** The answer to such a call. Does not block for long. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        try {
            CheckedBytes.check(request, 1, "a question for what was missed");
            if (request.length != REQUEST_BYTES) {
                throw new IllegalArgumentException("a question for what was missed of " + request.length + " bytes");
            }
            ByteBuffer in = ByteBuffer.wrap(request, HEAD, 2 * Long.BYTES);
            UUID name = new UUID(in.getLong(), in.getLong());
            Optional<BitSet> missed = meteorShower.inspect(view -> Optional.ofNullable(view.missedBy(from, name)));
            return CompletableFuture.completedFuture(encode(missed.orElse(null)));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static byte[] request(UUID name) {
        byte[] bytes = new byte[REQUEST_BYTES];
        ByteBuffer.wrap(bytes)
                .put(FORM)
                .putInt(0) // the checksum's place
                .putLong(name.getMostSignificantBits())
                .putLong(name.getLeastSignificantBits());
        return CheckedBytes.seal(bytes, 1);
    }

    static byte[] encode(@Nullable BitSet missed) {
        try (DataOutputBuffer out = new DataOutputBuffer(64)) {
            out.writeInt(0); // the checksum's place
            out.writeByte(missed == null ? ANYTHING : SOME);
            if (missed != null) {
                out.write(missed.toByteArray());
            }
            return CheckedBytes.seal(out.toByteArray(), 0);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory failed: " + e.getMessage(), e);
        }
    }

    /** @throws IllegalArgumentException if it is no such answer */
    static @Nullable BitSet decode(byte[] answer) {
        CheckedBytes.check(answer, 0, "an answer about what was missed");
        byte kind = answer.length < HEAD ? -1 : answer[HEAD - 1];
        if (kind == ANYTHING) {
            return null;
        }
        if (kind != SOME || answer.length > HEAD + Placement.BUCKETS / Byte.SIZE) {
            throw new IllegalArgumentException("no answer about what was missed");
        }
        return BitSet.valueOf(ByteBuffer.wrap(answer, HEAD, answer.length - HEAD));
    }
}
