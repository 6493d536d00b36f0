/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the clients of one run did, up to a limit: past it nothing is kept, for part of a history proves nothing.
 * Thread-safe.
 */
public final class TransactionLog {
    private final int limit;
    private final long epochNanos = System.nanoTime();
    private final AtomicInteger count = new AtomicInteger();
    private final ConcurrentLinkedQueue<Recorded> all = new ConcurrentLinkedQueue<>();

    /** @param limit transactions at most; 0: keep nothing */
    public TransactionLog(int limit) {
        this.limit = limit;
    }

    /** Times are as of {@link System#nanoTime}. */
    public void add(String session, Request request, TransactionOutcome outcome, long startNanos, long endNanos) {
        if (count.incrementAndGet() <= limit) {
            all.add(new Recorded(session, request, outcome, startNanos - epochNanos, endNanos - epochNanos));
        } else {
            all.clear();
        }
    }

    /** Whether nothing was dropped. */
    public boolean isComplete() {
        return count.get() <= limit;
    }

    /** Call it when all have ended. */
    public List<Recorded> all() {
        return new ArrayList<>(all);
    }
}
