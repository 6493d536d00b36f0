/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meteorshower.driver.StoppedException;

@Timeout(60)
final class GroupCommitTest {
    private static final long IN_A_MINUTE = 60_000_000_000L;

    private final Semaphore disk = new Semaphore(0);
    private final AtomicInteger forces = new AtomicInteger();

    @Test
    void nothingIsSafeBeforeTheDiskHasIt() throws InterruptedException {
        try (GroupCommit commits = new GroupCommit(this::force)) {
            commits.wrote();
            assertThat(commits.isSafe(1)).isFalse();
            assertThat(commits.await(1, System.nanoTime() + 1_000_000)).isFalse();
            disk.release();
            assertThat(commits.await(1, System.nanoTime() + IN_A_MINUTE)).isTrue();
            assertThat(commits.isSafe(1)).isTrue();
            disk.release(); // for the end
        }
    }

    @Test
    void whatIsWrittenWhileTheDiskIsBusyIsForcedTogether() throws InterruptedException {
        AtomicInteger told = new AtomicInteger();
        try (GroupCommit commits = new GroupCommit(this::force)) {
            commits.tell(told::incrementAndGet, cause -> {});
            commits.wrote();
            while (forces.get() == 0) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 100; i++) {
                commits.wrote();
            }
            List<Thread> waiting = new ArrayList<>();
            for (int i = 1; i <= 101; i++) {
                long number = i;
                waiting.add(new Thread(() -> commits.await(number)));
            }
            waiting.forEach(Thread::start);
            disk.release();
            commits.await(1);
            assertThat(commits.isSafe(2)).isFalse();
            disk.release();
            for (Thread each : waiting) {
                each.join();
            }
            assertThat(forces).hasValue(2);
            assertThat(told).hasPositiveValue();
            disk.release();
        }
    }

    @Test
    void whoWaitsForADiskThatFailsIsTold() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        CountDownLatch told = new CountDownLatch(1);
        try (GroupCommit commits = new GroupCommit(() -> {
            begun.countDown();
            disk.acquireUninterruptibly();
            throw new IllegalStateException("no such device");
        })) {
            commits.tell(() -> {}, cause -> {
                failure.set(cause);
                told.countDown();
            });
            commits.wrote();
            begun.await();
            disk.release();
            told.await();
            assertThat(failure.get()).hasMessage("no such device");
            assertThatThrownBy(() -> commits.await(1))
                    .isInstanceOf(StoppedException.class)
                    .hasMessageContaining("no such device");
        }
    }

    @Test
    void anErrorOfTheDiskLetsNobodyWaitForEver() {
        try (GroupCommit commits = new GroupCommit(() -> {
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        })) {
            commits.wrote();
            assertThatThrownBy(() -> commits.await(1)).isInstanceOf(StoppedException.class);
        }
    }

    private void force() {
        forces.incrementAndGet();
        disk.acquireUninterruptibly();
    }
}
