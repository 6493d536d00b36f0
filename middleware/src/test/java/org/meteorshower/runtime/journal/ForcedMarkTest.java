/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a loss of power any page may be missing of what was not forced, and none of what was. */
class ForcedMarkTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final JournalOptions FORCED = new JournalOptions(SEGMENT_BYTES, 64L << 20, SyncPolicy.ALWAYS);
    private static final int BODY_BYTES = EntryType.APPLIED_HEADER_BYTES + 48;
    private static final int FIRST = Segment.FIRST_OFFSET + Segment.sizeOf(new JournalState().bytes());

    @TempDir
    private Path folder;

    private Path file;

    /** The mutations 1, 2, 3 in one segment, all forced. */
    @BeforeEach
    void write() throws IOException {
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, FORCED)) {
            for (long n = 1; n <= 3; n++) {
                journal.applied(TestUpdate.of(n), n);
            }
        }
        file = folder.resolve("segment-0000000000000001.journal");
    }

    /** The entry of this mutation never reached the disk, though later ones have. */
    private void lose(int number) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int from = startOf(number);
        Arrays.fill(bytes, from, from + Segment.sizeOf(BODY_BYTES), (byte) 0);
        Files.write(file, bytes);
    }

    private static int startOf(int number) {
        return FIRST + (number - 1) * Segment.sizeOf(BODY_BYTES);
    }

    /** When the power went, the newest segment had been forced up to the entry of this mutation. */
    private void forcedUntil(long segment, int number) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, SEGMENT_BYTES);
            Segment newest = new Segment(segment, file, bytes);
            newest.continueAt(startOf(number));
            new ForcedMark(folder).force(List.of(newest));
        }
    }

    private List<Long> open() throws IOException {
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, FORCED)) {
            return StreamSupport.stream(journal.contents().updates().spliterator(), false)
                    .map(each -> ((TestUpdate) each.update()).number())
                    .toList();
        }
    }

    @Test
    void aHoleInWhatWasForcedIsDamage() throws IOException {
        lose(2);
        assertThatThrownBy(this::open)
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining("at byte " + startOf(2));
    }

    @Test
    void aHoleBehindItIsWhereTheJournalEnds() throws IOException {
        lose(2);
        forcedUntil(1, 2);

        assertThat(open()).containsExactly(1L);
        assertThat(open()).containsExactly(1L);
    }

    @Test
    void aHoleBeforeItIsDamage() throws IOException {
        lose(2);
        forcedUntil(1, 3);

        assertThatThrownBy(this::open).isInstanceOf(JournalDamagedException.class);
    }

    @Test
    void nothingOfANewerSegmentWasForcedWhereOnlyAnOlderOneIsNoted() throws IOException {
        lose(2);
        forcedUntil(0, 3);

        assertThat(open()).containsExactly(1L);
    }

    @Test
    void withoutAMarkAHoleIsDamage() throws IOException {
        lose(2);
        for (byte[] content : List.of(new byte[0], new byte[24], new byte[] {1, 2, 3})) {
            Files.write(folder.resolve("forced"), content);
            assertThatThrownBy(this::open).isInstanceOf(JournalDamagedException.class);
        }
    }

    @Test
    void whatIsWrittenBehindAHoleIsThereAfterwards() throws IOException {
        lose(2);
        forcedUntil(1, 2);
        try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, FORCED)) {
            journal.applied(TestUpdate.of(4), 4);
        }
        assertThat(open()).containsExactly(1L, 4L);
    }
}
