/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.StreamId;
import org.meteorshower.protocol.Update;

/** Messages of every type with likely and unlikely values. */
final class RandomMessages {
    private final Random random;

    RandomMessages(long seed) {
        random = new Random(seed);
    }

    Message next() {
        return switch (random.nextInt(11)) {
            case 0 -> new Message.Subscribe(number(), number(), number());
            case 1 ->
                new Message.Snapshot(
                        number(), stream(), number(), random.nextInt(9), random.nextInt(99), list(this::announcement));
            case 2, 3 -> status();
            case 4 ->
                new Message.Tables(number(), number(), number(), number(), list(() -> {
                    boolean baseline = random.nextBoolean(); // earlier versions tell of nothing else that was done
                    return new Message.TableReport(
                            table(), number(), baseline, random.nextBoolean(), baseline, false, 0, false);
                }));
            case 5 -> new Message.ReRequest(number(), stream(), number(), number());
            case 6 -> new Message.WriteAck(number(), key(), number(), number());
            case 7 -> new Message.Settle(number(), new StringUpdate("u".repeat(random.nextInt(300))));
            case 8 -> new Message.Fetch(number(), key(), id());
            case 9 -> new Message.Retired(number(), list(() -> new Message.RetiredMutation(key(), id())), number());
            default -> random.nextBoolean() ? new Message.Pull(number()) : new Message.Stale(number(), number());
        };
    }

    private Message status() {
        return new Message.StatusMessage(
                number(),
                stream(),
                number(),
                number(),
                list(this::announcement),
                list(() -> list(this::announcement)),
                random.nextBoolean() ? null : stream(),
                number(),
                new Message.Echo(number(), number(), number(), number()));
    }

    private Announcement announcement() {
        return new Announcement(
                key(),
                id(),
                number(),
                random.nextInt(3),
                random.nextBoolean() ? Update.ANY_ROW : random.nextLong(),
                number());
    }

    private <T> List<T> list(Supplier<T> each) {
        List<T> list = new ArrayList<>();
        for (int left = random.nextInt(6); left > 0; left--) {
            list.add(each.get());
        }
        return list;
    }

    private StreamId stream() {
        return new StreamId(number(), number(), number());
    }

    private PartitionKey key() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return new PartitionKey(table(), bytes);
    }

    private UUID table() {
        return new UUID(7, random.nextInt(3));
    }

    private MutationId id() {
        return new MutationId(number(), random.nextLong());
    }

    private long number() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MIN_VALUE;
            case 2 -> Long.MAX_VALUE;
            case 3 -> random.nextInt(3) - 1;
            default -> 1_700_000_000_000_000L + random.nextInt();
        };
    }
}
