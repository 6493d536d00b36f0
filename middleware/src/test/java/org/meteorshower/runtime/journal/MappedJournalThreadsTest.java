/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.runtime.Journal.JournaledUpdate;

/**
 * The journal with callers that take turns, while its own threads force files to disk, make them and give them back.
 */
@Tag("threads")
class MappedJournalThreadsTest {
    private static final int THREADS = 4;
    private static final int OPERATIONS = 15_000;
    private static final JournalOptions SMALL = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.batch(1));

    @TempDir
    private Path folder;

    @Test
    void whatWasAppliedAndNotRetiredIsThereAfterReopeningWithItsStamp() throws Exception {
        // By number: what was applied and not retired, and its stamp.
        TreeMap<Long, Long> live = new TreeMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, SMALL)) {
            Object turn = new Object();
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                running.add(threads.submit(() -> {
                    SplittableRandom random = new SplittableRandom(number);
                    for (long n = number; n < OPERATIONS; n += THREADS) {
                        synchronized (turn) {
                            journal.applied(TestUpdate.of(n), 2 * n);
                            live.put(n, 2 * n);
                            // Mostly old ones, so that files become empty; some stay and are moved.
                            if (live.size() > 300) {
                                Long gone = random.nextInt(20) == 0
                                        ? live.lastKey()
                                        : live.higherKey(n - 600 < 0 ? 0 : n - 600);
                                live.remove(gone);
                                journal.retired(
                                        TestUpdate.of(gone).key(),
                                        TestUpdate.of(gone).id());
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(120, TimeUnit.SECONDS);
            }
            assertThat(journal.liveMutations()).isEqualTo(live.size());
            // It wrote several times as much as this: files were given back and used again.
            assertThat(journal.diskBytes()).isLessThan(15L * (64 << 10));
        } finally {
            threads.shutdownNow();
        }
        TreeMap<Long, Long> found = new TreeMap<>();
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, SMALL)) {
            for (JournaledUpdate each : journal.contents().updates()) {
                found.put(((TestUpdate) each.update()).number(), each.appliedMicros());
            }
        }
        assertThat(found).isEqualTo(live);
    }
}
