/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.meteorshower.driver.StoppedException;

/**
 * A lock whose holder also does what others left to it, so that a thread waits for the lock only where it needs an
 * answer (flat combining: Hendler, Incze, Shavit, Tzafrir, SPAA 2010). Thread-safe.
 *
 * <p>Actions are done one at a time, in the order in which they were left, each before what a thread that takes the
 * lock afterwards does. None is forgotten: who lets go of the lock looks once more.
 */
final class CombiningLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> left = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final int most;

    /** @param most how many actions may be left; who has one more waits for the lock */
    CombiningLock(int most) {
        this.most = most;
    }

    /** Takes the lock, and does what was left. */
    void lock() {
        lock.lock();
        boolean done = false;
        try {
            doLeft();
            done = true;
        } finally {
            if (!done) {
                lock.unlock();
            }
        }
    }

    void unlock() {
        lock.unlock();
        doLeftIfFree();
    }

    /**
     * Does this now if nobody holds the lock, else leaves it to who does. A node that has stopped does not do it, and
     * tells the caller so the next time that it takes the lock.
     *
     * @param action quick, and nobody's answer comes from it; a {@link StoppedException} of it is dropped
     */
    void leave(Runnable action) {
        if (count.get() >= most) {
            lock();
        } else if (lock.isHeldByCurrentThread() || !lock.tryLock()) {
            count.incrementAndGet();
            left.add(action);
            doLeftIfFree();
            return;
        }
        try {
            doLeft();
            perform(action);
        } finally {
            unlock();
        }
    }

    /** Whoever holds the lock while this finds it taken does so when it lets go. */
    private void doLeftIfFree() {
        while (!left.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            try {
                doLeft();
            } finally {
                lock.unlock();
            }
        }
    }

    private void doLeft() {
        if (lock.getHoldCount() > 1) {
            return; // within an action
        }
        Runnable action = left.poll();
        while (action != null) {
            count.decrementAndGet();
            perform(action);
            action = left.poll();
        }
    }

    private static void perform(Runnable action) {
        try {
            action.run();
        } catch (StoppedException e) {
            // Said by the driver when it stopped; whoever needs an answer is told, too.
        }
    }
}
