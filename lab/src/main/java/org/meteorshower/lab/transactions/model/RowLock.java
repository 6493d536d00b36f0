/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The lock of one row: shared by readers or held by one writer; who comes first is served first. On the model's thread.
 */
public final class RowLock {
    private record Waiting(String transaction, boolean exclusive, Runnable granted) {}

    /** Who holds it, and whether alone. */
    private final Map<String, Boolean> holders = new HashMap<>();

    private final Deque<Waiting> queue = new ArrayDeque<>();

    /** Grants it, at once or when those before have gone. */
    public void ask(String transaction, boolean exclusive, Runnable granted) {
        queue.add(new Waiting(transaction, exclusive, granted));
        serve();
    }

    /** Takes it if it is free for this, and tells. */
    public boolean take(String transaction, boolean exclusive) {
        if (!queue.isEmpty() || !fits(exclusive)) {
            return false;
        }
        holders.put(transaction, exclusive);
        return true;
    }

    /** Whether nobody holds it alone. */
    public boolean isReadable() {
        return fits(false);
    }

    /** Gives it back, or stops waiting for it; nothing where the transaction does neither. */
    public void release(String transaction) {
        holders.remove(transaction);
        queue.removeIf(waiting -> waiting.transaction().equals(transaction));
        serve();
    }

    /** Whether nobody holds it or waits for it. */
    public boolean isIdle() {
        return holders.isEmpty() && queue.isEmpty();
    }

    private boolean fits(boolean exclusive) {
        return holders.isEmpty() || (!exclusive && !holders.containsValue(true));
    }

    private void serve() {
        Waiting next = queue.peek();
        while (next != null && fits(next.exclusive())) {
            queue.remove();
            holders.put(next.transaction(), next.exclusive());
            next.granted().run();
            next = queue.peek();
        }
    }
}
