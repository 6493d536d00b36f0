/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk on which no file can be made: mutations are refused for now, and taken again when there is room, without a
 * restart.
 */
final class FullDiskTest {
    private static final JournalOptions OPTIONS = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.NEVER);
    private static final int ENOUGH = 1_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path folder;

    /** What is in the way of the names that the journal's next files would have. */
    private final List<Path> inTheWay = new ArrayList<>();

    private void fillDisk() throws IOException {
        for (int number = 0; number < ENOUGH; number++) {
            Path spare = SegmentFiles.spare(folder, number);
            if (!Files.exists(spare)) {
                Files.createDirectory(spare);
                Files.createFile(spare.resolve("full"));
                inTheWay.add(spare);
            }
        }
    }

    private void makeRoom() throws IOException {
        for (Path spare : inTheWay) {
            Files.delete(spare.resolve("full"));
            Files.deleteIfExists(spare); // the pool may be quicker, once it is empty
        }
    }

    private static boolean isTaken(MappedJournal journal, long number, Set<Long> taken) {
        try {
            journal.applied(TestUpdate.of(number), 1);
            taken.add(number);
            return true;
        } catch (JournalFullException e) {
            assertThat(e).hasMessageContaining("Make room on the disk");
            return false;
        }
    }

    @Test
    void mutationsAreRefusedUntilThereIsRoomAndNothingTakenIsLost() throws Exception {
        Set<Long> taken = new TreeSet<>();
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, OPTIONS)) {
            long number = 0;
            assertThat(isTaken(journal, number++, taken)).isTrue();
            fillDisk();
            while (isTaken(journal, number++, taken)) {
                assertThat(number).isLessThan(100_000);
            }
            assertThat(isTaken(journal, number++, taken)).as("still full").isFalse();

            makeRoom();

            long startNanos = System.nanoTime();
            while (!isTaken(journal, number++, taken)) {
                assertThat(System.nanoTime() - startNanos).isLessThan(PATIENCE_NANOS);
                Thread.sleep(50);
            }
        }
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, OPTIONS)) {
            Set<Long> kept = StreamSupport.stream(journal.contents().updates().spliterator(), false)
                    .map(each -> ((TestUpdate) each.update()).number())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(kept).isEqualTo(taken);
        }
    }
}
