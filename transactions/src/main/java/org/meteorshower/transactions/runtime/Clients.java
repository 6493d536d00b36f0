/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.meteorshower.transactions.port.Answer;

/** Who waits for an answer, by number. Thread-safe. Each is answered once. */
final class Clients {
    private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    long add(CompletableFuture<Answer> future) {
        long client = last.incrementAndGet();
        waiting.put(client, future);
        return client;
    }

    int size() {
        return waiting.size();
    }

    void answer(long client, Answer answer) {
        CompletableFuture<Answer> future = waiting.remove(client);
        if (future != null) {
            future.complete(answer);
        }
    }

    /** For all that are left when a process ends. */
    void answerAll(Answer answer) {
        waiting.keySet().forEach(client -> answer(client, answer));
    }
}
