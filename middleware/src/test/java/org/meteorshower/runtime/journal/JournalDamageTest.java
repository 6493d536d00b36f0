/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalDamageTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final JournalOptions SMALL = new JournalOptions(SEGMENT_BYTES, 64L << 20, SyncPolicy.NEVER);
    private static final int BODY_BYTES = EntryType.APPLIED_HEADER_BYTES + 48;
    private static final int ENTRY_BYTES = Segment.sizeOf(BODY_BYTES);

    @TempDir
    private Path folder;

    private Path directory;
    private Path file;
    private byte[] intact;
    private int end;

    /** One segment with the mutations 1, 2, 3, never sealed, as a killed process leaves it. */
    @BeforeEach
    void write() throws IOException {
        directory = folder.resolve("journal");
        try (MappedJournal journal = MappedJournal.open(directory, TestUpdate.CODEC, SMALL)) {
            for (long n = 1; n <= 3; n++) {
                journal.applied(TestUpdate.of(n), n);
            }
        }
        file = directory.resolve("segment-0000000000000001.journal");
        intact = Files.readAllBytes(file);
        end = Segment.FIRST_OFFSET + Segment.sizeOf(new JournalState().bytes()) + 3 * ENTRY_BYTES;
    }

    @Test
    void aTailTornAtAnyByteLosesOnlyTheEntryThatWasNeverCompleted() throws IOException {
        for (int torn = end - ENTRY_BYTES; torn < end - 7; torn++) {
            byte[] bytes = intact.clone();
            Arrays.fill(bytes, torn, end, (byte) 0);
            boolean complete = Arrays.equals(bytes, intact);
            assertThat(reopened(bytes))
                    .as("torn at " + torn)
                    .containsExactlyElementsOf(complete ? List.of(1L, 2L, 3L) : List.of(1L, 2L));
        }
    }

    @Test
    void aTailWithItsLengthMissingOrGarbageBehindItIsTornToo() throws IOException {
        byte[] bytes = intact.clone();
        Arrays.fill(bytes, end - ENTRY_BYTES, end - ENTRY_BYTES + 4, (byte) 0);
        assertThat(reopened(bytes)).containsExactly(1L, 2L);

        new Random(1).nextBytes(bytes);
        System.arraycopy(intact, 0, bytes, 0, end);
        assertThat(reopened(bytes)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aTornTailIsWrittenOverAndTheJournalGoesOn() throws IOException {
        byte[] bytes = intact.clone();
        bytes[end - 20] ^= 1;
        restore(bytes);
        try (MappedJournal journal = MappedJournal.open(directory, TestUpdate.CODEC, SMALL)) {
            journal.applied(TestUpdate.of(4), 4);
        }
        assertThat(open()).containsExactly(1L, 2L, 4L);
        assertThat(open()).containsExactly(1L, 2L, 4L);
    }

    @Test
    void aDamagedEntryInTheMiddleIsAnErrorThatNamesFileOffsetAndCure() throws IOException {
        int offset = end - 2 * ENTRY_BYTES;
        for (int at = offset; at < offset + Segment.HEADER_BYTES + BODY_BYTES; at++) {
            byte[] bytes = intact.clone();
            bytes[at] ^= 0x10;
            restore(bytes);
            assertThatThrownBy(this::open)
                    .isInstanceOf(JournalDamagedException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("at byte " + offset)
                    .hasMessageContaining("full repair");
        }
    }

    @Test
    void aTornEntryInASegmentThatIsNotTheLastIsDamage() throws IOException {
        open();
        byte[] bytes = Files.readAllBytes(file);
        bytes[end - 20] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(this::open).isInstanceOf(JournalDamagedException.class);
    }

    @Test
    void aSegmentThatWasOnlyJustBegunIsTakenForNone() throws IOException {
        open();
        for (int kept : new int[] {0, 4, 8, 20, 30}) {
            List<Path> files;
            try (var list = Files.list(directory)) {
                files = list.filter(f -> f.toString().endsWith(".journal"))
                        .sorted()
                        .toList();
            }
            Path last = files.get(files.size() - 1);
            byte[] bytes = Files.readAllBytes(last);
            Arrays.fill(bytes, kept, bytes.length, (byte) 0);
            Files.write(last, bytes);
            assertThat(open()).as("kept " + kept).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void randomBytesNeitherCrashNorHangNorPassForEntries() throws IOException {
        Random random = new Random(42);
        for (int round = 0; round < 60; round++) {
            byte[] bytes =
                    new byte[random.nextInt(4) == 0 ? random.nextInt(100) : SEGMENT_BYTES * (1 + random.nextInt(8))];
            random.nextBytes(bytes);
            restore(bytes);
            expectDamageOrNothing();

            restore(intact);
            Files.write(directory.resolve("segment-0000000000000002.journal"), bytes);
            expectDamageOrNothing();
        }
    }

    @Test
    void flippedBitsAreDamageOrATornTailButNeverWrongContent() throws IOException {
        Random random = new Random(43);
        for (int round = 0; round < 400; round++) {
            byte[] bytes = intact.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(end)] ^= (byte) (1 << random.nextInt(8));
            }
            restore(bytes);
            expectDamageOrNothing();
        }
    }

    /** The codec itself fails if a content is not what was written. */
    private void expectDamageOrNothing() throws IOException {
        try {
            List<Long> numbers = open();
            assertThat(numbers).isEqualTo(List.of(1L, 2L, 3L).subList(0, numbers.size()));
        } catch (JournalDamagedException e) {
            assertThat(e).hasMessageContaining("damaged at byte");
        }
    }

    private List<Long> reopened(byte[] bytes) throws IOException {
        restore(bytes);
        return open();
    }

    private void restore(byte[] bytes) throws IOException {
        try (var list = Files.list(directory)) {
            for (Path old : list.toList()) {
                Files.delete(old);
            }
        }
        Files.write(file, bytes);
    }

    private List<Long> open() throws IOException {
        try (MappedJournal journal = MappedJournal.open(directory, TestUpdate.CODEC, SMALL)) {
            return StreamSupport.stream(journal.contents().updates().spliterator(), false)
                    .map(u -> ((TestUpdate) u.update()).number())
                    .toList();
        }
    }
}
