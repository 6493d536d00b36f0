/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many bytes somebody holds, and may. What is too large for the whole account is let in alone, so that nothing
 * waits for ever: it holds at most its limit, or one thing. Thread-safe; does not block.
 */
public final class ByteAccount {
    private final long limit;

    /** 0 <= used. */
    private final AtomicLong used = new AtomicLong();

    private final LongAdder timesFull = new LongAdder();

    /** @param limit in bytes, at least 1 */
    public ByteAccount(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("an account must hold a byte at least, not " + limit);
        }
        this.limit = limit;
    }

    /** Returns whether there was room; what was taken is to be given back once. */
    public boolean take(long bytes) {
        long before = used.get();
        while (before == 0 || bytes <= limit - before) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        timesFull.increment();
        return false;
    }

    /** For what must not be refused, such as the word that something else was. It has a bound of its own. */
    public void takeAnyway(long bytes) {
        used.addAndGet(bytes);
    }

    public void giveBack(long bytes) {
        if (used.addAndGet(-bytes) < 0) {
            used.addAndGet(bytes);
            throw new IllegalStateException("given back twice: " + bytes + " bytes");
        }
    }

    public long limit() {
        return limit;
    }

    public long used() {
        return used.get();
    }

    /** How often there was no room. */
    public long timesFull() {
        return timesFull.sum();
    }
}
