/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;

/** What chain servers read is as it was written, or refused. */
class ServersFuzzTest {
    private static final Division RING = Bench.division(2);

    /** Entries of both forms, and what is executed of them: whatever stands in one, there is something. */
    private static final class Entries implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Entry entry = entry(random);
            FrontedEntry fronted = FrontedEntry.of(entry, RING);
            return new Sample(random.nextInt(4) == 0 ? LogCodec.bytes(entry) : fronted.bytes(), fronted);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            FrontedEntry read = FrontedEntry.read(input, RING);
            assertThat(read.entry(RING).submissions()).hasSameSizeAs(read.parts());
            return read;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    @Test
    void damagedEntriesAreRefusedOrExecuted() {
        assertThat(Fuzz.run("chain servers' entries", new Entries(), 20_000).refused())
                .isPositive();
    }

    static Entry entry(SplittableRandom random) {
        List<Submission> submissions = new ArrayList<>();
        for (int left = random.nextInt(5); left > 0; left--) {
            submissions.add(new Submission(random.nextLong(1L << 50), request(random)));
        }
        return new Entry(random.nextLong(1L << 40), random.nextLong(1L << 40), submissions);
    }

    private static Request request(SplittableRandom random) {
        SessionId session = new SessionId(random.nextInt(3), random.nextLong(100), random.nextInt(10));
        Request.Once once = once(copy(row(random), row(random)), copy(row(random), row(random)));
        return switch (random.nextInt(5)) {
            case 0 -> new Request.Open();
            case 1 -> new Request.Run(session, 1 + random.nextLong(100), once.transaction());
            case 2 -> new Request.Expire(session, random.nextLong(1_000));
            case 3 -> new Request.ExpireRows(List.of(row(random), row(random)), random.nextLong(1L << 44));
            default -> once;
        };
    }

    static RowKey row(SplittableRandom random) {
        return new RowKey("t", "k" + random.nextInt(10));
    }
}
