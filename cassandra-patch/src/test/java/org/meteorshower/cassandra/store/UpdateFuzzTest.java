/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** An update from the network or the journal is read or refused, and nothing else. */
class UpdateFuzzTest {
    /** Updates that were damaged after they were written: the checksum is to tell. */
    static class Updates implements Target {
        final CassandraUpdateCodec codec = new CassandraUpdateCodec();

        @Override
        public Sample sample(SplittableRandom random) {
            boolean pairs = random.nextInt(3) == 0;
            PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(
                            pairs ? TestTables.PAIRS : TestTables.CART, "key" + random.nextInt(9))
                    .timestamp(random.nextLong(1L << 50))
                    .nowInSec(1);
            if (pairs) {
                builder.row().add("a", "x".repeat(random.nextInt(9)));
            } else {
                // Some of them delete some of the others.
                for (int parts = random.nextInt(1, 4); parts > 0; parts--) {
                    add(random, builder, parts);
                }
                builder.row(7).add("b", random.nextBoolean() ? "x" : null);
            }
            CassandraUpdate update = new CassandraUpdate(TestTables.ID, builder.build());
            return new Sample(codec.encode(update), nameOf(update));
        }

        private static void add(SplittableRandom random, PartitionUpdate.SimpleBuilder builder, int part) {
            switch (random.nextInt(6)) {
                case 0 -> builder.delete();
                case 1, 2 -> {
                    int start = random.nextInt(9);
                    builder.addRangeTombstone().start(start).end(start + 1 + random.nextInt(5));
                }
                case 3 -> builder.row().add("s", "static");
                case 4 -> builder.row(9 + part).delete().add("a", "x");
                default -> builder.row(random.nextInt(9)).add("m", Map.of("x", "y", "z", "w"));
            }
        }

        private static String nameOf(CassandraUpdate update) {
            return update.key() + " " + update.id() + " " + update.shape() + " " + update.row() + " "
                    + update.oldestTimestampMicros();
        }

        @Override
        public CassandraUpdate decode(byte[] input) {
            return (CassandraUpdate) codec.decode(ByteBuffer.wrap(input));
        }

        @Override
        public Object view(Object decoded) {
            return nameOf((CassandraUpdate) decoded);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException;
        }
    }

    /**
     * Updates that were damaged before the checksum was made, as by a fault in memory: Cassandra's reader gets them.
     *
     * <p>It makes room for what counts and lengths promise, and no bound is known but the heap's: what is held against
     * it is what it throws, and that it ends.
     */
    private static final class Contents extends Updates {
        private static final int HEAD_BYTES = 8;

        @Override
        public Sample sample(SplittableRandom random) {
            Sample sample = super.sample(random);
            byte[] bytes = sample.bytes();
            return new Sample(Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length), sample.expected());
        }

        @Override
        public CassandraUpdate decode(byte[] input) {
            byte[] sealed = new byte[HEAD_BYTES + input.length];
            System.arraycopy(input, 0, sealed, HEAD_BYTES, input.length);
            ByteBuffer.wrap(sealed).putInt(0, CassandraUpdateCodec.VERSION);
            return super.decode(CheckedBytes.seal(sealed, Integer.BYTES));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return super.declares(thrown) || thrown instanceof OutOfMemoryError;
        }

        @Override
        public long freeBytes() {
            return Long.MAX_VALUE / 2;
        }
    }

    @Test
    void anUpdateIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("updates", new Updates(), 20_000);
    }

    @Test
    void anUpdateThatMakesNoSenseIsRefused() {
        Fuzz.run("contents of updates", new Contents(), 2_000);
    }
}
