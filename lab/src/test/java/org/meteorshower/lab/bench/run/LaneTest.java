/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What an open loop counts, with a client whose answers the test gives. */
final class LaneTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long now = System.nanoTime();
    private final Measurement measurement = new Measurement(now - 100 * SECOND, now + 100 * SECOND);
    private final Deque<CompletableFuture<RowClient.Answer>> underWay = new ArrayDeque<>();

    private final RowClient client = new RowClient() {
        @Override
        public CompletionStage<Answer> read(int row) {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            underWay.add(answer);
            return answer;
        }

        @Override
        public CompletionStage<Long> write(int row, String value) {
            throw new AssertionError("only reads here");
        }

        @Override
        public boolean mayHaveTakenEffect(Throwable failure) {
            return false;
        }
    };

    private Lane lane(int sessions, int backlog) {
        HistoryBook book = new HistoryBook(0);
        List<Slot> slots = IntStream.range(0, sessions)
                .mapToObj(i -> new Slot(
                        client,
                        "eu",
                        book.page("s" + i),
                        RowChooser.of(10, false),
                        0,
                        1,
                        32,
                        new SplittableRandom(i),
                        Runnable::run))
                .toList();
        return new Lane(slots, measurement, backlog);
    }

    private void answer() {
        underWay.remove().complete(new RowClient.Answer("v", null));
    }

    @Test
    void afterAStopNothingBeginsThatWaited() {
        Lane lane = lane(1, 10);
        lane.arrive(now - 5 * SECOND);
        lane.arrive(now - 4 * SECOND);
        lane.stop();
        lane.arrive(now - 3 * SECOND);
        answer();

        assertThat(underWay).isEmpty();
        assertThat(lane.isQuiet()).isTrue();
    }

    @Test
    void anOperationThatHadToWaitForASessionCountsFromItsIntendedTime() {
        Lane lane = lane(1, 10);
        lane.arrive(now - 5 * SECOND);
        lane.arrive(now - 4 * SECOND);
        assertThat(underWay).hasSize(1);
        answer();
        assertThat(underWay).as("the one that waited has begun").hasSize(1);
        answer();

        assertThat(lane.isQuiet()).isTrue();
        Histogram latencies = measurement.interval().reads();
        assertThat(latencies.getTotalCount()).isEqualTo(2);
        assertThat(latencies.getMinValue()).isGreaterThanOrEqualTo(3_990_000);
        assertThat(measurement.service().reads().getMaxValue())
                .as("the requests themselves were quick")
                .isLessThan(1_000_000);
    }

    @Test
    void whatFindsNoRoomIsCountedNotForgotten() {
        Lane lane = lane(2, 3);
        for (int i = 0; i < 9; i++) {
            lane.arrive(now);
        }
        assertThat(underWay).hasSize(2);
        assertThat(measurement.overflow()).isEqualTo(4);
        for (int i = 0; i < 5; i++) {
            answer();
        }
        assertThat(lane.isQuiet()).isTrue();
        assertThat(measurement.interval().reads().getTotalCount()).isEqualTo(5);
    }

    @Test
    void whatFailsIsCountedAndFreesItsSession() {
        Lane lane = lane(1, 3);
        lane.arrive(now);
        underWay.remove().completeExceptionally(new IllegalStateException("no"));

        assertThat(lane.isQuiet()).isTrue();
        assertThat(measurement.failures()).containsOnlyKeys(Op.READ);
        assertThat(measurement.failures().get(Op.READ)).satisfies(failures -> {
            assertThat(failures.count()).isEqualTo(1);
            assertThat(failures.first()).contains("no");
        });
        assertThat(measurement.interval().reads().getTotalCount()).isZero();
    }

    @Test
    void warmingUpIsNotMeasuredAndWhatIsLateIs() {
        Lane lane = lane(1, 3);
        lane.arrive(measurement.startNanos() - 1);
        answer();
        lane.arrive(measurement.endNanos());
        answer();
        assertThat(measurement.interval().reads().getTotalCount()).isZero();
        lane.arrive(measurement.startNanos());
        answer();
        assertThat(measurement.interval().reads().getTotalCount()).isEqualTo(1);
    }

    @Test
    void anOpenLoopKeepsItsRateWhateverTheAnswersDo() {
        long start = System.nanoTime();
        Measurement brief = new Measurement(start, start + SECOND / 2);
        Lane silent = new Lane(List.of(), brief, 1_000_000);
        Lane counting = new Lane(List.of(), brief, 0);
        new OpenLoop(List.of(silent, counting), 1_000, start, brief.endNanos(), new SplittableRandom(1)).run();
        assertThat(brief.overflow()).as("half a second at a thousand a second").isBetween(400L, 600L);
    }
}
