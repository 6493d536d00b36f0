/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LogTailTest {
    private final Semaphore disk = new Semaphore(0);
    private final AtomicInteger forced = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Throwable> told = Collections.synchronizedList(new ArrayList<>());

    private LogTail tail() {
        return new LogTail(
                () -> {
                    disk.acquireUninterruptibly();
                    forced.incrementAndGet();
                    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new IOException("no space left");
                    }
                },
                told::add);
    }

    private static boolean take(LogTail tail) {
        return tail.takes(entry -> {}, new Object());
    }

    private static boolean isSafeSoon(LogTail tail, long number) throws InterruptedException {
        return tail.await(number, System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void whatIsPutThereIsSafeOnceItHasBeenForced() throws InterruptedException {
        LogTail tail = tail();
        assertThat(take(tail)).isTrue();
        assertThat(take(tail)).isTrue();
        assertThat(tail.written()).isEqualTo(2);
        assertThat(tail.isSafe(1)).isFalse();
        assertThat(tail.await(2, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50)))
                .isFalse();
        disk.release(10);
        assertThat(isSafeSoon(tail, 2)).isTrue();
        tail.close();
    }

    @Test
    void oneForceIsForAllThatCameBefore() throws InterruptedException {
        LogTail tail = tail();
        disk.release(1_000);
        for (int i = 0; i < 5_000; i++) {
            take(tail);
        }
        assertThat(isSafeSoon(tail, 5_000)).isTrue();
        assertThat(forced.get()).isLessThan(100);
        tail.close();
    }

    @Test
    void whereTheDiskStandsStillWritersWaitForItThemselves() throws InterruptedException {
        LogTail tail = tail();
        for (int i = 0; i < LogTail.MOST; i++) {
            take(tail);
        }
        assertThat(take(tail)).isFalse();
        disk.release(1_000);
        assertThat(isSafeSoon(tail, tail.written())).isTrue();
        assertThat(take(tail)).isTrue();
        tail.close();
    }

    @Test
    void soDoTheyAfterASecondOfThat() throws InterruptedException {
        LogTail tail = tail();
        assertThat(take(tail)).isTrue();
        long begun = System.nanoTime();
        while (take(tail)) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20));
            Thread.sleep(10);
        }
        disk.release(1_000);
        assertThat(isSafeSoon(tail, tail.written())).isTrue();
        tail.close();
    }

    @Test
    void oneThatHasHadNothingToDoForLongTakesAtOnce() throws InterruptedException {
        LogTail tail = tail();
        disk.release(1_000);
        Thread.sleep(1_500);
        assertThat(take(tail)).isTrue();
        assertThat(isSafeSoon(tail, 1)).isTrue();
        tail.close();
    }

    @Test
    void whatCannotBeForcedIsTriedAgainAndTold() throws InterruptedException {
        failures.set(1);
        disk.release(1_000);
        LogTail tail = tail();
        take(tail);
        assertThat(isSafeSoon(tail, 1)).isTrue();
        assertThat(told).singleElement().isInstanceOf(IOException.class);
        tail.close();
    }

    @Test
    void whenItIsClosedWritersWaitThemselvesAndTheRestIsForced() {
        disk.release(1_000);
        LogTail tail = tail();
        take(tail);
        tail.close();
        assertThat(tail.isSafe(1)).isTrue();
        assertThat(take(tail)).isFalse();
    }
}
