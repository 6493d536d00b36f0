/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;

/**
 * What the sessions of one run did, up to a limit: past it nothing is kept, for part of a history proves nothing.
 * Thread-safe; each page belongs to one session and is written by one thread at a time.
 */
final class HistoryBook {
    private final int limit;
    private final long epochNanos = System.nanoTime();
    private final AtomicInteger operations = new AtomicInteger();
    private final ConcurrentLinkedQueue<Page> pages = new ConcurrentLinkedQueue<>();

    /** @param limit operations at most; 0: keep nothing */
    HistoryBook(int limit) {
        this.limit = limit;
    }

    /** What one session did, in its order. */
    final class Page {
        private final String session;
        private List<Operation> done = new ArrayList<>();

        private Page(String session) {
            this.session = session;
        }

        String session() {
            return session;
        }

        /** Times are as of {@link System#nanoTime}. */
        void read(String key, @Nullable String value, long startNanos, long endNanos) {
            if (counts()) {
                done.add(Operation.read(session, key, value, startNanos - epochNanos, endNanos - epochNanos));
            }
        }

        void written(String key, String value, long startNanos, long endNanos, long version) {
            if (counts()) {
                done.add(Operation.write(session, key, value, startNanos - epochNanos, endNanos - epochNanos, version));
            }
        }

        void failedWrite(String key, String value, long startNanos, long endNanos, boolean mayHaveTakenEffect) {
            if (counts()) {
                done.add(
                        mayHaveTakenEffect
                                ? Operation.unknownWrite(
                                        session, key, value, startNanos - epochNanos, Operation.NO_VERSION)
                                : Operation.failedWrite(
                                        session, key, value, startNanos - epochNanos, endNanos - epochNanos));
            }
        }

        private boolean counts() {
            boolean kept = operations.incrementAndGet() <= limit;
            if (!kept && !done.isEmpty()) {
                done = new ArrayList<>();
            }
            return kept;
        }
    }

    Page page(String session) {
        Page page = new Page(session);
        pages.add(page);
        return page;
    }

    boolean isComplete() {
        return operations.get() <= limit;
    }

    /** Call it when all sessions are done, and only where it is complete. */
    History history() {
        HistoryBuilder builder = History.builder();
        pages.forEach(page -> page.done.forEach(builder::add));
        return builder.build();
    }
}
