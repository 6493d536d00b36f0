/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.Event;

/**
 * What is to be told to the core. Any thread adds, one takes. Messages and requests are bounded: what is too much is
 * turned away. Completions are not turned away, since the core waits for them; there are no more of them than it has
 * asked for.
 */
final class EventQueue {
    private final int most;
    private final long mostBytes;
    private final ConcurrentLinkedQueue<Event> completions = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Event> others = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** @param mostBytes of heap that may wait */
    EventQueue(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    void complete(Event event) {
        completions.add(event);
    }

    /** Returns whether there was room. Where nothing else waits there is: else what is larger would never come. */
    boolean offer(Event event) {
        long weight = event.weight();
        long held = bytes.addAndGet(weight);
        if (held > mostBytes && held > weight) {
            bytes.addAndGet(-weight);
            return false;
        } else if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            bytes.addAndGet(-weight);
            return false;
        }
        others.add(event);
        return true;
    }

    /** Completions first: what was asked for is finished before more is begun. Null where nothing waits. */
    @Nullable
    Event poll() {
        Event completion = completions.poll();
        if (completion != null) {
            return completion;
        }
        Event other = others.poll();
        if (other != null) {
            waiting.decrementAndGet();
            bytes.addAndGet(-other.weight());
        }
        return other;
    }

    /** About how many bytes of heap messages and requests take that wait. */
    long bytes() {
        return bytes.get();
    }

    boolean isEmpty() {
        return completions.isEmpty() && others.isEmpty();
    }
}
