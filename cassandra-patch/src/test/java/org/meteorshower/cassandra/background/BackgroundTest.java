/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.config.BackgroundOptions;
import org.meteorshower.cassandra.store.TestTables;

class BackgroundTest {
    private static final UUID NAME = new UUID(0, 7);
    private static final long GIGABYTE = 1L << 30;

    private final List<Range<Token>> held = List.of(range(0, 100), range(100, 0));
    private final Recording repairs = new Recording();
    private final Background background = new Background(
            new BackgroundOptions(0, 0.25, false, false),
            Runnable::run,
            new ClientReads(() -> new long[0]),
            new Throughput(() -> 0, value -> {}),
            repairs);

    private final class Recording implements Repairs {
        final List<Collection<Range<Token>>> done = new ArrayList<>();
        long bytes = GIGABYTE;
        int failsAt = -1;

        @Nullable
        Progress seen;

        @Override
        public boolean run(
                TableMetadata table, @Nullable InetAddressAndPort source, Collection<Range<Token>> ranges, Pace pace) {
            seen = background.progressOf(NAME);
            if (done.size() == failsAt) {
                return false;
            }
            done.add(ranges);
            return true;
        }

        @Override
        public List<Range<Token>> held(TableMetadata table) {
            return held;
        }

        @Override
        public long bytesOf(TableMetadata table, Collection<Range<Token>> ranges) {
            return bytes;
        }
    }

    private boolean repair() throws InterruptedException {
        return background.repair(TestTables.PAIRS, NAME, List.of(), () -> true);
    }

    private static Range<Token> range(long after, long to) {
        return new Range<>(new LongToken(after), new LongToken(to));
    }

    /** What the pieces cover; none covers anything of another. */
    private static List<Range<Token>> united(List<? extends Collection<Range<Token>>> pieces) {
        List<Range<Token>> all = new ArrayList<>();
        pieces.forEach(all::addAll);
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(all.get(i).intersects(all.get(j)))
                        .as(all.get(i) + ", " + all.get(j))
                        .isFalse();
            }
        }
        return Range.normalize(all);
    }

    @Test
    void muchIsDoneInPiecesThatAreAllOfItTogether() throws Exception {
        assertThat(repair()).isTrue();

        assertThat(repairs.done).hasSize(128);
        assertThat(united(repairs.done)).isEqualTo(Range.normalize(held));
        assertThat(Objects.requireNonNull(repairs.seen).share()).isEqualTo(127 / 128.0);
        assertThat(background.progressOf(NAME)).isNull();
    }

    @Test
    void littleIsDoneAtOnce() throws Exception {
        repairs.bytes = 1_000;
        assertThat(repair()).isTrue();
        assertThat(repairs.done).hasSize(1);
        assertThat(united(repairs.done)).isEqualTo(Range.normalize(held));
    }

    @Test
    void manyRangesAreNotCutFurtherThanTheirBytesAskFor() {
        List<Range<Token>> ranges = new ArrayList<>();
        for (long at = 0; at < 100_000; at += 1_000) {
            ranges.add(range(at, at + 1_000));
        }
        List<List<Range<Token>>> pieces = Pieces.of(ranges, 80L << 20, Murmur3Partitioner.instance);
        assertThat(pieces).hasSize(10);
        assertThat(united(pieces)).isEqualTo(Range.normalize(ranges));
    }

    @Test
    void whatIsDoneIsNotDoneAgainAfterAFailure() throws Exception {
        repairs.failsAt = 20;
        assertThat(repair()).isFalse();
        repairs.failsAt = -1;
        assertThat(repair()).isTrue();
        assertThat(repairs.done).hasSize(128);
        assertThat(united(repairs.done)).isEqualTo(Range.normalize(held));

        assertThat(repair()).isTrue();
        assertThat(repairs.done).as("a new one begins anew").hasSize(256);
    }

    @Test
    void whatIsToBeginAnewDoes() throws Exception {
        repairs.failsAt = 20;
        assertThat(repair()).isFalse();
        repairs.failsAt = -1;
        background.forget(new UUID(0, 8));
        background.forget(NAME);
        assertThat(repair()).isTrue();
        assertThat(repairs.done).hasSize(20 + 128);
    }

    @Test
    void anotherTablesRepairDoesNotMakeItForgetWhatIsDone() throws Exception {
        repairs.failsAt = 20;
        assertThat(repair()).isFalse();
        repairs.failsAt = -1;
        assertThat(background.repair(TestTables.PAIRS, new UUID(0, 8), List.of(), () -> true))
                .isTrue();
        assertThat(repair()).isTrue();
        assertThat(repairs.done).hasSize(256);
    }

    @Test
    void aPieceDuringWhichTheRingChangesDoesNotCount() throws Exception {
        int[] asked = {0};
        assertThat(background.repair(TestTables.PAIRS, NAME, List.of(), () -> asked[0]++ != 5))
                .isFalse();
        assertThat(repairs.done).hasSize(3);
        assertThat(repair()).isTrue();
        assertThat(repairs.done).as("the third piece is done again").hasSize(129);
    }

    @Test
    void ofASmallTableOneRangeIsComparedAndOfALargeOneManySmallOnes() {
        repairs.bytes = 100_000;
        assertThat(background.rangesWorth(TestTables.PAIRS, held)).isEqualTo(1);
        repairs.bytes = 116L << 20;
        assertThat(background.rangesWorth(TestTables.PAIRS, held)).isEqualTo(116);
        repairs.bytes = 100 * GIGABYTE;
        assertThat(background.rangesWorth(TestTables.PAIRS, held)).isEqualTo(1_024);
    }

    @Test
    void theEndIsToldByThePaceOfTheNewestPieces() {
        Progress progress = Progress.begin(10);
        assertThat(progress.secondsLeft()).isNegative();
        for (int i = 0; i < 5; i++) {
            progress = progress.another(2);
        }
        assertThat(progress.share()).isEqualTo(0.5);
        assertThat(progress.secondsLeft()).isEqualTo(10);
        progress = progress.another(12);
        assertThat(progress.secondsLeft()).isEqualTo(20);
    }
}
