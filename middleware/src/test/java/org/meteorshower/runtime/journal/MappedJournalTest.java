/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.driver.JournalWriter.TableState;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.Journal.Contents;
import org.meteorshower.runtime.Journal.JournaledUpdate;

class MappedJournalTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final JournalOptions SMALL = new JournalOptions(SEGMENT_BYTES, 64L << 20, SyncPolicy.NEVER);

    @TempDir
    private Path folder;

    @Test
    void whatIsLiveCanBeReadBackAndWhatIsRetiredIsNotThere() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 11);
            journal.applied(TestUpdate.of(2), 12);
            journal.retired(TestUpdate.of(2).key(), TestUpdate.of(2).id());

            assertThat(journal.reading(TestUpdate.of(2).key(), TestUpdate.of(2).id()))
                    .isNull();
            try (Journal.Reading reading =
                    journal.reading(TestUpdate.of(1).key(), TestUpdate.of(1).id())) {
                assertThat(reading.read()).isEqualTo(TestUpdate.of(1));
            }
        }
    }

    @Test
    void aFileThatIsReadIsNotUsedForAnythingElse() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 11);
            try (Journal.Reading reading =
                    journal.reading(TestUpdate.of(1).key(), TestUpdate.of(1).id())) {
                journal.retired(TestUpdate.of(1).key(), TestUpdate.of(1).id());
                for (long n = 2; n < 20_000; n++) {
                    journal.applied(TestUpdate.of(n), n);
                    journal.retired(TestUpdate.of(n).key(), TestUpdate.of(n).id());
                }
                assertThat(reading.read()).isEqualTo(TestUpdate.of(1));
            }
        }
    }

    @Test
    void everyKindOfEntryIsThereAfterARestartAndTheIncarnationIsOneMore() throws IOException {
        TableState table = new TableState(new UUID(3, 4), 77, true, false, true);
        TableState changed = new TableState(new UUID(3, 4), 78, false, true, true);
        long incarnation;
        try (MappedJournal journal = open(SMALL)) {
            Contents first = journal.contents();
            incarnation = first.incarnation();
            assertThat(first.updates()).isEmpty();
            assertThat(first.ceilingMicros()).isZero();
            journal.ceiling(1_000);
            journal.ceiling(2_000);
            journal.table(table);
            journal.table(changed);
            journal.table(new TableState(new UUID(9, 9), 1, true, true, true));
            journal.tableDropped(new UUID(9, 9));
            journal.stale(NodeId.of(1), true);
            journal.stale(NodeId.of(2), true);
            journal.stale(NodeId.of(1), false);
            journal.applied(TestUpdate.of(1), 11);
            journal.applied(TestUpdate.of(2), 12);
            journal.applied(TestUpdate.of(3), 13);
            journal.retired(TestUpdate.of(2).key(), TestUpdate.of(2).id());
        }
        for (int restart = 1; restart <= 3; restart++) {
            try (MappedJournal journal = open(SMALL)) {
                Contents contents = journal.contents();
                assertThat(contents.incarnation()).isEqualTo(incarnation + restart);
                assertThat(contents.ceilingMicros()).isEqualTo(2_000);
                assertThat(contents.updates())
                        .containsExactly(
                                new JournaledUpdate(TestUpdate.of(1), 11), new JournaledUpdate(TestUpdate.of(3), 13));
                assertThat(contents.tables()).containsExactly(changed);
                assertThat(contents.stalePeers()).containsExactly(NodeId.of(2));
            }
        }
    }

    @Test
    void contentsAreHandedOutOnce() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            var unused = journal.contents();
            assertThatThrownBy(journal::contents).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void retiringTwiceOrWhatWasNeverThereDoesNothing() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 11);
            journal.applied(TestUpdate.of(2), 12);
            retire(journal, 1);
            retire(journal, 1);
            retire(journal, 99);
            assertThat(journal.liveMutations()).isEqualTo(1);
        }
        assertThat(numbers()).containsExactly(2L);
    }

    @Test
    void aMutationStampedAgainHasItsLastStamp() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 11);
            journal.applied(TestUpdate.of(1), 12);
        }
        try (MappedJournal journal = open(SMALL)) {
            assertThat(journal.contents().updates()).containsExactly(new JournaledUpdate(TestUpdate.of(1), 12));
            retire(journal, 1);
        }
        assertThat(numbers()).isEmpty();
    }

    @Test
    void aDroppedTablesMutationsGoWithIt() throws IOException {
        UUID other = new UUID(5, 5);
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 11);
            journal.applied(new TestUpdate(other, 2, 5), 12);
            journal.tableDropped(TestUpdate.TABLE);
        }
        assertThat(numbers()).containsExactly(2L);
    }

    @Test
    void aMutationThatCannotBeDecodedAnyMoreIsLeftOut() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 11);
            journal.applied(new TestUpdate(TestUpdate.UNKNOWN_TABLE, 2, 5), 12);
            journal.applied(TestUpdate.of(3), 13);
        }
        assertThat(numbers()).containsExactly(1L, 3L);
    }

    @Test
    void oneStuckMutationDoesNotKeepTheOldFiles() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.ceiling(5);
            journal.applied(TestUpdate.of(0), 42);
            for (long n = 1; n <= 50_000; n++) {
                journal.applied(TestUpdate.of(n), n);
                retire(journal, n);
                assertThat(journal.diskBytes()).isLessThanOrEqualTo(4 * SEGMENT_BYTES);
            }
        }
        assertThat(segmentFiles()).hasSizeLessThan(6);
        try (MappedJournal journal = open(SMALL)) {
            Contents contents = journal.contents();
            assertThat(contents.updates()).containsExactly(new JournaledUpdate(TestUpdate.of(0), 42));
            assertThat(contents.ceilingMicros()).isEqualTo(5);
        }
    }

    @Test
    void filesStayWithinAboutTwiceWhatIsLive() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            // Every tenth mutation stays for long.
            for (long n = 0; n < 60_000; n++) {
                journal.applied(TestUpdate.of(n), n);
                if (n % 10 != 0) {
                    retire(journal, n);
                }
                if (n >= 20_000 && n % 10 == 0) {
                    retire(journal, n - 20_000);
                }
            }
            long liveBytes = journal.liveMutations() * 80L;
            assertThat(journal.liveMutations()).isEqualTo(2_000);
            assertThat(journal.diskBytes()).isLessThanOrEqualTo(2 * liveBytes + 4 * SEGMENT_BYTES);
        }
        assertThat(numbers()).hasSize(2_000);
    }

    @Test
    void aFullJournalRefusesMutationsUntilSomeRetire() throws IOException {
        JournalOptions tiny = new JournalOptions(SEGMENT_BYTES, 4L * SEGMENT_BYTES, SyncPolicy.NEVER);
        Set<Long> kept = new TreeSet<>();
        try (MappedJournal journal = open(tiny)) {
            long next = fill(journal, 0, kept);
            assertThatThrownBy(() -> journal.applied(TestUpdate.of(1_000_000), 1))
                    .isInstanceOf(JournalFullException.class)
                    .hasMessageContaining("limit of 262144 bytes");
            journal.ceiling(9);
            for (long n = 0; n < next; n++) {
                if (n % 4 != 0) {
                    retire(journal, n);
                    kept.remove(n);
                }
            }
            long further = fill(journal, next, kept);
            assertThat(further - next).isGreaterThan(500);
        }
        assertThat(numbers()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void theLimitCanBeRaisedAndLoweredWhileItIsInUse() throws IOException {
        Set<Long> kept = new TreeSet<>();
        try (MappedJournal journal = open(new JournalOptions(SEGMENT_BYTES, 4L * SEGMENT_BYTES, SyncPolicy.NEVER))) {
            long next = fill(journal, 0, kept);
            journal.limit(8L * SEGMENT_BYTES);
            assertThat(journal.limitBytes()).isEqualTo(8L * SEGMENT_BYTES);
            long further = fill(journal, next, kept);
            assertThat(further - next).isGreaterThan(500);

            journal.limit(4L * SEGMENT_BYTES);
            assertThat(fill(journal, further, kept)).isEqualTo(further);
            assertThatThrownBy(() -> journal.limit(3L * SEGMENT_BYTES)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(numbers()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void aMutationLargerThanASegmentIsRefusedAndNothingElseSuffers() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            journal.applied(TestUpdate.of(1), 1);
            assertThatThrownBy(() -> journal.applied(new TestUpdate(TestUpdate.TABLE, 2, SEGMENT_BYTES), 1))
                    .isInstanceOf(JournalFullException.class)
                    .hasMessageContaining("segment");
            assertThat(journal.obstacle(new TestUpdate(TestUpdate.TABLE, 2, SEGMENT_BYTES)))
                    .contains("segment");
            assertThat(journal.obstacle()).isNull();
            journal.applied(TestUpdate.of(3), 1);
            journal.applied(new TestUpdate(TestUpdate.TABLE, 4, SEGMENT_BYTES - 200), 1);
        }
        assertThat(numbers()).containsExactly(1L, 3L, 4L);
    }

    @Test
    void aDirectoryIsUsedByOneJournalAtATime() throws IOException {
        MappedJournal first = open(SMALL);
        assertThatThrownBy(() -> open(SMALL)).isInstanceOf(IOException.class).hasMessageContaining("in use");
        first.close();
        first.close();
        assertThatThrownBy(() -> first.ceiling(1)).isInstanceOf(IllegalStateException.class);
        open(SMALL).close();
    }

    @Test
    void aMissingMiddleFileIsNamed() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            for (long n = 0; n < 5_000; n++) {
                journal.applied(TestUpdate.of(n), n);
            }
        }
        Files.delete(segmentFiles().get(2));
        assertThatThrownBy(() -> open(SMALL))
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining("segment-0000000000000003.journal")
                .hasMessageContaining("full repair");
    }

    @Test
    void theSegmentSizeMayChangeBetweenStarts() throws IOException {
        try (MappedJournal journal = open(SMALL)) {
            for (long n = 0; n < 2_000; n++) {
                journal.applied(TestUpdate.of(n), n);
            }
        }
        assertThat(numbers(new JournalOptions(1 << 20, 4 << 20, SyncPolicy.NEVER)))
                .hasSize(2_000);
        assertThat(numbers()).hasSize(2_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NEVER", "BATCH", "ALWAYS"})
    void underEveryPolicyARandomHistoryIsRemembered(SyncPolicy.Kind kind) throws IOException {
        JournalOptions options = new JournalOptions(
                SEGMENT_BYTES, 64L << 20, new SyncPolicy(kind, kind == SyncPolicy.Kind.BATCH ? 5 : 0));
        int steps = kind == SyncPolicy.Kind.ALWAYS ? 250 : 20_000;
        for (int seed = 0; seed < 3; seed++) {
            Random random = new Random(seed);
            Path directory = folder.resolve("seed-" + seed);
            Map<Long, Long> model = new HashMap<>();
            List<Long> candidates = new ArrayList<>();
            MappedJournal journal = MappedJournal.open(directory, TestUpdate.CODEC, options);
            for (int step = 0; step < steps; step++) {
                if (random.nextInt(steps / 5) == 0) {
                    journal.close();
                    journal = MappedJournal.open(directory, TestUpdate.CODEC, options);
                    assertThat(asMap(journal.contents())).as("seed " + seed).isEqualTo(model);
                } else if (random.nextInt(100) < 52) {
                    journal.applied(new TestUpdate(TestUpdate.TABLE, step, random.nextInt(300)), step + 5L);
                    model.put((long) step, step + 5L);
                    candidates.add((long) step);
                } else if (!candidates.isEmpty()) {
                    long gone = candidates.remove(random.nextInt(candidates.size()));
                    retire(journal, gone);
                    model.remove(gone);
                }
            }
            journal.close();
            try (MappedJournal last = MappedJournal.open(directory, TestUpdate.CODEC, options)) {
                assertThat(asMap(last.contents())).as("seed " + seed).isEqualTo(model);
            }
        }
    }

    @Test
    void anEntryCostsAboutAMicrosecond() throws IOException {
        try (MappedJournal journal = open(new JournalOptions(16 << 20, 1L << 30, SyncPolicy.batch(100)))) {
            long worstNanos = 0;
            int count = 300_000;
            long beganNanos = 0;
            for (long n = 0; n < 2L * count; n++) {
                if (n == count) {
                    beganNanos = System.nanoTime();
                    worstNanos = 0;
                }
                long startNanos = System.nanoTime();
                journal.applied(TestUpdate.of(n), n);
                if (n >= 1_000) {
                    retire(journal, n - 1_000);
                }
                worstNanos = Math.max(worstNanos, System.nanoTime() - startNanos);
            }
            System.out.println("bench: applied and retired, mean " + (System.nanoTime() - beganNanos) / count
                    + " ns, worst " + worstNanos / 1_000 + " us");
        }
    }

    private MappedJournal open(JournalOptions options) throws IOException {
        return MappedJournal.open(folder, TestUpdate.CODEC, options);
    }

    private List<Long> numbers() throws IOException {
        return numbers(SMALL);
    }

    private List<Long> numbers(JournalOptions options) throws IOException {
        try (MappedJournal journal = open(options)) {
            return StreamSupport.stream(journal.contents().updates().spliterator(), false)
                    .map(u -> ((TestUpdate) u.update()).number())
                    .toList();
        }
    }

    private static Map<Long, Long> asMap(Contents contents) {
        Map<Long, Long> map = new HashMap<>();
        contents.updates().forEach(u -> map.put(((TestUpdate) u.update()).number(), u.appliedMicros()));
        return map;
    }

    private static long fill(MappedJournal journal, long from, Set<Long> kept) {
        for (long n = from; n < from + 100_000; n++) {
            String obstacle = journal.obstacle(TestUpdate.of(n));
            try {
                journal.applied(TestUpdate.of(n), n);
                kept.add(n);
                assertThat(obstacle).as("of %d, for which there was room", n).isNull();
            } catch (JournalFullException e) {
                assertThat(obstacle).isEqualTo(e.getMessage());
                assertThat(journal.obstacle()).as("clients' writes").isNotNull();
                return n;
            }
        }
        throw new AssertionError("the journal never became full");
    }

    private static void retire(MappedJournal journal, long number) {
        journal.retired(TestUpdate.of(number).key(), TestUpdate.of(number).id());
    }

    private List<Path> segmentFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".journal")).sorted().toList();
        }
    }
}
