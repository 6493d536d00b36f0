/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meteorshower.lab.torture.Sample;

@Timeout(60)
final class AsyncLoadTest {
    private final Tally tally = new Tally();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();

    private interface Sending {
        CompletionStage<AsyncResultSet> send(int time);
    }

    private Work work(int jobs, Sending sending) {
        AtomicInteger left = new AtomicInteger(jobs);
        return () -> left.getAndDecrement() <= 0
                ? null
                : new Work.Job() {
                    @Override
                    public CompletionStage<AsyncResultSet> send() {
                        return sending.send(sent.getAndIncrement());
                    }

                    @Override
                    public void acknowledged() {
                        acknowledged.incrementAndGet();
                    }

                    @Override
                    public int rows() {
                        return 20;
                    }

                    @Override
                    public boolean writes() {
                        return true;
                    }
                };
    }

    private static CompletionStage<AsyncResultSet> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static CompletionStage<AsyncResultSet> failed() {
        return CompletableFuture.failedFuture(new DriverTimeoutException("late"));
    }

    private static void await(AsyncLoad load) throws InterruptedException {
        while (!load.isDone()) {
            Thread.sleep(5);
        }
    }

    @Test
    void eachIsSentUntilItIsAcknowledged() throws InterruptedException {
        try (AsyncLoad load =
                new AsyncLoad("test", work(5, time -> time < 2 ? failed() : done()), 3, System::nanoTime, tally)) {
            await(load);
            load.stop();
        }
        assertThat(acknowledged).hasValue(5);
        assertThat(sent).hasValue(7);
        assertThat(tally.rows()).isEqualTo(100);
        assertThat(tally.unknown()).isEqualTo(2);
        assertThat(tally.errors()).containsEntry("DriverTimeoutException", 2L);
        assertThat(tally.latencies(Sample.What.WRITE, Long.MIN_VALUE, Long.MAX_VALUE)
                        .count())
                .isEqualTo(5);
    }

    @Test
    void whatWaitsToBeSentAgainTakesRoom() throws InterruptedException {
        try (AsyncLoad load = new AsyncLoad("test", work(1_000, time -> failed()), 4, System::nanoTime, tally)) {
            while (tally.unknown() < 8) { // each of the four twice
                Thread.sleep(5);
            }
            assertThat(load.isDone()).isFalse();
            load.stop();
        }
        assertThat(acknowledged).hasValue(0);
    }

    @Test
    void noMoreIsUnderWayThanTold() throws InterruptedException {
        CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();
        try (AsyncLoad load = new AsyncLoad("test", work(10, time -> answer), 4, System::nanoTime, tally)) {
            while (sent.get() < 4) {
                Thread.sleep(5);
            }
            Thread.sleep(50);
            assertThat(sent).hasValue(4);
            answer.complete(null);
            await(load);
        }
        assertThat(acknowledged).hasValue(10);
    }

    @Test
    void whoRestsBeginsNothingNewUntilToldOtherwise() throws InterruptedException {
        CompletableFuture<AsyncResultSet> first = new CompletableFuture<>();
        try (AsyncLoad load =
                new AsyncLoad("test", work(2, time -> time == 0 ? first : done()), 1, System::nanoTime, tally)) {
            while (sent.get() == 0) {
                Thread.sleep(1);
            }
            load.rest(true);
            first.complete(null);
            Thread.sleep(50); // in which the second one would begin
            assertThat(sent).hasValue(1);
            load.rest(false);
            await(load);
            load.stop();
        }
        assertThat(acknowledged).hasValue(2);
    }
}
