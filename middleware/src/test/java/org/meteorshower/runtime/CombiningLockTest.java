/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meteorshower.driver.StoppedException;

@Timeout(60)
final class CombiningLockTest {
    private final CombiningLock lock = new CombiningLock(4);
    private final List<String> done = new ArrayList<>();

    @Test
    void whatIsLeftToAFreeLockIsDoneAtOnce() {
        lock.leave(() -> done.add("a"));
        assertThat(done).containsExactly("a");
    }

    @Test
    void theHolderDoesWhatOthersLeftInItsOrder() throws InterruptedException {
        lock.lock();
        onAnotherThread(() -> {
            lock.leave(() -> done.add("a"));
            lock.leave(() -> done.add("b"));
        });
        assertThat(done).isEmpty();
        lock.unlock();
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void nothingIsDoneWithinAnAction() {
        lock.leave(() -> {
            lock.leave(() -> done.add("left within"));
            lock.lock();
            done.add("locked within");
            lock.unlock();
            done.add("end");
        });
        assertThat(done).containsExactly("locked within", "end", "left within");
    }

    @Test
    void whoHasOneMoreThanMayBeLeftWaits() throws InterruptedException {
        AtomicInteger counted = new AtomicInteger();
        CountDownLatch four = new CountDownLatch(4);
        lock.lock();
        Thread other = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                lock.leave(counted::incrementAndGet);
                four.countDown();
            }
        });
        other.start();
        four.await();
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(counted).hasValue(0);
        lock.unlock();
        other.join();
        assertThat(counted).hasValue(5);
    }

    @Test
    void aStopOfTheNodeIsNotToldToWhoDidNotAsk() {
        lock.leave(() -> {
            throw new StoppedException(new IllegalStateException("the disk is gone"));
        });
        lock.leave(() -> done.add("after"));
        assertThat(done).containsExactly("after");
    }

    @Test
    void anErrorLetsGoOfTheLock() throws InterruptedException {
        assertThatThrownBy(() -> lock.leave(() -> {
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
        onAnotherThread(() -> lock.leave(() -> done.add("after")));
        assertThat(done).containsExactly("after");
    }

    @Tag("threads")
    @Test
    void noActionIsLostAndNoTwoAreDoneAtATime() throws InterruptedException {
        int each = 200_000;
        int[] plain = new int[2]; // only under the lock, so that two at a time would lose some
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean leaves = i % 2 == 0;
            threads.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    if (leaves) {
                        lock.leave(() -> plain[0]++);
                    } else {
                        lock.lock();
                        plain[1]++;
                        lock.unlock();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        lock.lock();
        assertThat(plain).containsExactly(2 * each, 2 * each);
        lock.unlock();
    }

    private static void onAnotherThread(Runnable action) throws InterruptedException {
        Thread thread = new Thread(action);
        thread.start();
        thread.join();
    }
}
