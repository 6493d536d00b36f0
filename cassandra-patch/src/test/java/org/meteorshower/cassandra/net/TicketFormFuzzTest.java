/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.runtime.RequestRefusedException;

/** What nodes say about writes that begin elsewhere is read or refused, and nothing else. */
class TicketFormFuzzTest {
    private static final int AT = 1;

    /** As they come from the network. */
    private static class Tickets implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Object said =
                    switch (random.nextInt(4)) {
                        case 0 -> begin(random);
                        case 1 -> new TicketForm.Await(begun(random), random.nextLong());
                        case 2 -> begun(random);
                        default -> random.nextLong();
                    };
            return new Sample(encode(said), said);
        }

        private static TicketForm.Begin begin(SplittableRandom random) {
            List<PartitionKey> keys = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                byte[] key = new byte[random.nextInt(9)];
                random.nextBytes(key);
                keys.add(new PartitionKey(new UUID(random.nextLong(), random.nextLong()), key));
            }
            return new TicketForm.Begin(keys, random.nextLong(), random.nextBoolean(), random.nextLong());
        }

        private static TicketForm.Begun begun(SplittableRandom random) {
            return new TicketForm.Begun(random.nextLong(), random.nextLong());
        }

        private static byte[] encode(Object said) {
            if (said instanceof TicketForm.Begin begin) {
                return TicketForm.encode(begin);
            } else if (said instanceof TicketForm.Await await) {
                return TicketForm.encode(await);
            } else if (said instanceof TicketForm.Begun begun) {
                return TicketForm.encode(begun);
            }
            return TicketForm.done((Long) said);
        }

        /** By what it says of itself, as both ends do that know what they wait for. */
        @Override
        public Object decode(byte[] input) throws RequestRefusedException {
            if (!TicketForm.isOne(input)) {
                throw new IllegalArgumentException("for somebody else");
            }
            return switch (input[AT + Integer.BYTES]) {
                case 1 -> TicketForm.isBegin(input) ? TicketForm.begin(input) : "none";
                case 2 -> TicketForm.isBegin(input) ? "none" : TicketForm.await(input);
                case 5 -> TicketForm.doneMicros(input);
                default -> TicketForm.begun(input);
            };
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException || thrown instanceof RequestRefusedException;
        }
    }

    /** Damaged before the checksum was made. */
    private static final class Contents extends Tickets {
        @Override
        public Object decode(byte[] input) throws RequestRefusedException {
            return super.decode(input.length > AT + Integer.BYTES ? CheckedBytes.seal(input.clone(), AT) : input);
        }
    }

    @Test
    void damagedOnesAreRefused() {
        assertThat(Fuzz.run("tickets", new Tickets(), 20_000).refused()).isPositive();
    }

    @Test
    void wrongContentIsReadOrRefused() {
        assertThat(Fuzz.run("contents of tickets", new Contents(), 20_000).refused())
                .isPositive();
    }

    @Test
    void aRefusalComesThrough() {
        byte[] refused = TicketForm.encode(new RequestRefusedException(Failure.CLOCK, "apart"));
        assertThatThrownBy(() -> TicketForm.begun(refused))
                .isInstanceOf(RequestRefusedException.class)
                .hasMessage("apart");
    }
}
