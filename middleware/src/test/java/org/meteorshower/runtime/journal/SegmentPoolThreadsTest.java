/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pool of the journal's files, whose own threads make files and take them back while the journal takes them. */
@Tag("threads")
class SegmentPoolThreadsTest {
    private static final int SEGMENT_BYTES = 4_096;
    private static final int SEGMENTS = 4_000;

    @TempDir
    private Path folder;

    @Test
    void noFileIsThatOfTwoSegmentsAtOnceAndNoneIsLeftBehind() throws Exception {
        SegmentPool pool = new SegmentPool(folder, SEGMENT_BYTES, SyncPolicy.NEVER, () -> {});
        ArrayDeque<Segment> used = new ArrayDeque<>();
        try {
            for (long number = 0; number < SEGMENTS; number++) {
                pool.reserve();
                Segment taken = pool.take(number);
                taken.bytes().putLong(8, number);
                used.addLast(taken);
                // One after the other, and now and then several, so that spares run out and pile up.
                while (used.size() > number % 5) {
                    Segment oldest = used.removeFirst();
                    assertThat(oldest.bytes().getLong(8)).isEqualTo(oldest.number);
                    pool.giveBack(oldest);
                }
            }
        } finally {
            pool.close();
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.count()).isEqualTo(used.size());
        }
    }
}
