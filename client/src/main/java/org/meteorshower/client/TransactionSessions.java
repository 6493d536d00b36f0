/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.RequestThrottlingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions at the cluster, and which of their numbers are under way. Servers remember the last {@link #WINDOW} outcomes
 * of a session, so a number is given only while all that it would push out are known. Thread-safe.
 */
final class TransactionSessions {

    /** How many numbers may lie between the oldest one under way and the newest, both counted. */
    static final int WINDOW = 16;

    private static final int MOST_WAITING = 10_000;

    private static final class Numbers {
        private long next = 1;
        private final TreeSet<Long> underWay = new TreeSet<>();

        boolean hasRoom() {
            return underWay.isEmpty() || next - underWay.first() < WINDOW;
        }
    }

    private final Supplier<CompletableFuture<String>> opener;
    private final int mostSessions;

    /** Those that give numbers. Guarded by this. */
    private final Map<String, Numbers> sessions = new LinkedHashMap<>();

    /** Guarded by this. */
    private final ArrayDeque<CompletableFuture<TransactionId>> waiting = new ArrayDeque<>();

    /** Sessions that are being opened. Guarded by this. */
    private int opening;

    /** @param opener opens a session at the cluster, and gives its name */
    TransactionSessions(Supplier<CompletableFuture<String>> opener, int mostSessions) {
        this.opener = opener;
        this.mostSessions = mostSessions;
    }

    /** A number that nobody has; the caller gives it back by {@link #done} or {@link #retire}. */
    CompletableFuture<TransactionId> take() {
        CompletableFuture<TransactionId> taker = new CompletableFuture<>();
        boolean tooMany;
        synchronized (this) {
            tooMany = waiting.size() >= MOST_WAITING;
            if (!tooMany) {
                waiting.add(taker);
            }
        }
        if (tooMany) {
            taker.completeExceptionally(new RequestThrottlingException(MOST_WAITING
                    + " transactions wait for a number already: start fewer at a time, or allow more sessions"));
        } else {
            serve();
        }
        return taker;
    }

    /** Its outcome is known. */
    void done(TransactionId id) {
        synchronized (this) {
            Numbers numbers = sessions.get(id.session());
            if (numbers != null) {
                numbers.underWay.remove(id.number());
            }
        }
        serve();
    }

    /**
     * This session gives no number any more: it has expired, or its outcomes must not be pushed out since one may be
     * asked for later.
     */
    void retire(String session) {
        synchronized (this) {
            sessions.remove(session);
        }
        serve();
    }

    private void serve() {
        Map<CompletableFuture<TransactionId>, TransactionId> served = new LinkedHashMap<>();
        boolean open;
        synchronized (this) {
            TransactionId free = waiting.isEmpty() ? null : free();
            while (free != null) {
                served.put(waiting.remove(), free);
                free = waiting.isEmpty() ? null : free();
            }
            open = waiting.size() > opening * WINDOW && sessions.size() + opening < mostSessions;
            opening += open ? 1 : 0;
        }
        served.forEach(CompletableFuture::complete);
        if (open) {
            open();
        }
    }

    private @Nullable TransactionId free() {
        for (Map.Entry<String, Numbers> session : sessions.entrySet()) {
            Numbers numbers = session.getValue();
            if (numbers.hasRoom()) {
                long number = numbers.next++;
                numbers.underWay.add(number);
                return new TransactionId(session.getKey(), number);
            }
        }
        return null;
    }

    private void open() {
        CompletableFuture<String> opened;
        try {
            opened = opener.get();
        } catch (RuntimeException e) {
            opened = CompletableFuture.failedFuture(e);
        }
        var unused = opened.whenComplete((name, failure) -> {
            List<CompletableFuture<TransactionId>> hopeless = new ArrayList<>();
            synchronized (this) {
                opening--;
                if (failure == null) {
                    sessions.put(name, new Numbers());
                } else if (sessions.isEmpty() && opening == 0) {
                    for (Iterator<CompletableFuture<TransactionId>> all = waiting.iterator(); all.hasNext(); ) {
                        hopeless.add(all.next());
                        all.remove();
                    }
                }
            }
            if (failure != null) {
                Throwable cause = TransactionFailures.rootOf(failure);
                hopeless.forEach(taker -> taker.completeExceptionally(cause));
            }
            if (failure == null) {
                serve();
            }
        });
    }
}
