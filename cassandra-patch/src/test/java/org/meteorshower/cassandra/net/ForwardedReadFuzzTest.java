/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/** A forwarded read and its answer are read or refused, and nothing else. */
class ForwardedReadFuzzTest {
    private static SinglePartitionReadCommand command(String key) {
        return SinglePartitionReadCommand.fullPartitionRead(TestTables.CART, 0, UTF8Type.instance.decompose(key));
    }

    private static class Requests implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            ReadRequest request = new ReadRequest(
                    command("key" + random.nextInt(9)),
                    random.nextLong(),
                    ReadMode.bounded(random.nextInt(99)),
                    random.nextLong(),
                    random.nextBoolean());
            return new Sample(request.encode(), nameOf(request));
        }

        private static String nameOf(ReadRequest request) {
            return request.command().partitionKey() + " " + request.tokenMicros() + " " + request.mode() + " "
                    + request.remainingMicros();
        }

        @Override
        public ReadRequest decode(byte[] input) {
            return ReadRequest.decode(input);
        }

        @Override
        public Object view(Object decoded) {
            return nameOf((ReadRequest) decoded);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException;
        }
    }

    private static class Answers implements Target {
        private final SinglePartitionReadCommand command = command("key");

        @Override
        public Sample sample(SplittableRandom random) {
            ReadInfo info = new ReadInfo(random.nextLong(), Served.WAITED, random.nextLong());
            ImmutableBTreePartition rows = null;
            if (random.nextInt(4) > 0) {
                PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.CART, "key")
                        .timestamp(random.nextLong(1L << 50))
                        .nowInSec(1);
                for (int row = random.nextInt(1, 5); row > 0; row--) {
                    builder.row(row).add("a", "x");
                }
                PartitionUpdate update = builder.build();
                rows = ImmutableBTreePartition.create(
                        update.unfilteredIterator(ColumnFilter.all(TestTables.CART), Slices.ALL, false));
            }
            try {
                FetchedPartition fetched = new FetchedPartition(rows, info);
                return new Sample(ReadResponse.encode(command, fetched), nameOf(fetched));
            } catch (RequestRefusedException e) {
                throw new AssertionError(e);
            }
        }

        /** Rows as such: damaged values need not be text. */
        private static List<Object> nameOf(FetchedPartition fetched) {
            List<Object> name = new ArrayList<>();
            name.add(fetched.info());
            ImmutableBTreePartition rows = fetched.rows();
            if (rows != null) {
                for (Row row : rows) {
                    name.add(row);
                }
            }
            return name;
        }

        @Override
        public FetchedPartition decode(byte[] input) throws RequestRefusedException {
            return ReadResponse.decode(command, input);
        }

        @Override
        public Object view(Object decoded) {
            return nameOf((FetchedPartition) decoded);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException || thrown instanceof RequestRefusedException;
        }
    }

    /**
     * Damaged before the checksum was made, as by a fault in memory: Cassandra's reader gets it. It makes room for what
     * counts and lengths promise, and no bound is known but the heap's: what is held against it is what it throws, and
     * that it ends. Who gets that far is a node of the cluster, and could say the same to Cassandra itself.
     */
    private static class Contents implements Target {
        /** The form, and the checksum behind it. */
        private static final int HEAD_BYTES = 5;

        private final Target whole;

        Contents(Target whole) {
            this.whole = whole;
        }

        @Override
        public Sample sample(SplittableRandom random) {
            Sample sample = whole.sample(random);
            byte[] bytes = sample.bytes();
            return new Sample(Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length), sample.expected());
        }

        @Override
        public Object decode(byte[] input) throws Exception {
            byte[] sealed = new byte[HEAD_BYTES + input.length];
            sealed[0] = 1;
            System.arraycopy(input, 0, sealed, HEAD_BYTES, input.length);
            return whole.decode(CheckedBytes.seal(sealed, 1));
        }

        @Override
        public Object view(Object decoded) {
            return whole.view(decoded);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return whole.declares(thrown) || thrown instanceof OutOfMemoryError;
        }

        @Override
        public long freeBytes() {
            return Long.MAX_VALUE / 2;
        }
    }

    private static final class ContentsOfRequests extends Contents {
        ContentsOfRequests() {
            super(new Requests());
        }
    }

    private static final class ContentsOfAnswers extends Contents {
        ContentsOfAnswers() {
            super(new Answers());
        }
    }

    /** A refusal is an exception when it is read. */
    private static class Refusals implements Target {
        private final SinglePartitionReadCommand command = command("key");

        @Override
        public Sample sample(SplittableRandom random) {
            Failure failure = random.nextBoolean() ? Failure.CLOCK : Failure.OVERLOADED;
            return new Sample(ReadResponse.encode(new RequestRefusedException(failure, "b\u00e9cause")), failure);
        }

        @Override
        public Object decode(byte[] input) {
            try {
                return ReadResponse.decode(command, input);
            } catch (RequestRefusedException e) {
                return e.failure();
            }
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException;
        }
    }

    private static final class ContentsOfRefusals extends Contents {
        ContentsOfRefusals() {
            super(new Refusals());
        }
    }

    @Test
    void aRequestIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("forwarded reads", new Requests(), 30_000);
    }

    @Test
    void aRequestThatMakesNoSenseIsRefused() {
        Fuzz.run("contents of forwarded reads", new ContentsOfRequests(), 2_000);
    }

    @Test
    void anAnswerIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("answers to forwarded reads", new Answers(), 20_000);
    }

    @Test
    void anAnswerThatMakesNoSenseIsRefused() {
        Fuzz.run("contents of answers", new ContentsOfAnswers(), 2_000);
    }

    @Test
    void aRefusalIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("refusals of forwarded reads", new Refusals(), 20_000);
    }

    @Test
    void aRefusalThatMakesNoSenseIsRefused() {
        Fuzz.run("contents of refusals", new ContentsOfRefusals(), 10_000);
    }
}
