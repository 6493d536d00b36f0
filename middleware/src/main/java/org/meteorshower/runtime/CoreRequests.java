/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.CoreDriver;
import org.meteorshower.driver.Inbox;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;

/**
 * Reads, scans and writes that take steps of the core, and the threads that wait for their answers. Thread-safe: each
 * step is taken under the node's lock, and nobody waits under it.
 */
final class CoreRequests {
    private final CombiningLock lock;
    private final CoreDriver driver;
    private final Clock clock;
    private final Safety safety;
    private final AtomicLong nextRequest = new AtomicLong(1);

    CoreRequests(CombiningLock lock, CoreDriver driver, Clock clock, Safety safety) {
        this.lock = lock;
        this.driver = driver;
        this.clock = clock;
        this.safety = safety;
    }

    /** For a request; no other one of this node has the same. */
    long next() {
        return nextRequest.getAndIncrement();
    }

    /** For the answers to a request. */
    Mailbox<Effect.ReadAnswer> mailbox() {
        return new Mailbox<>(safety);
    }

    CoreDriver driver() {
        return driver;
    }

    /** How a request is put to the driver. */
    @FunctionalInterface
    interface Question {
        void ask(long id, Inbox<Effect.ReadAnswer> answers);
    }

    void ask(Question question, long id, Mailbox<Effect.ReadAnswer> answers) {
        lock.lock();
        try {
            question.ask(id, answers);
        } finally {
            lock.unlock();
        }
    }

    void tell(Event event) {
        lock.lock();
        try {
            driver.tell(event);
        } finally {
            lock.unlock();
        }
    }

    void end(long id) {
        lock.lock();
        try {
            driver.endRead(id);
        } finally {
            lock.unlock();
        }
    }

    /** Begins a write, as {@link MeteorShower#beginWriteOf} does. */
    WriteTicket write(
            @Nullable NodeId coordinator, List<PartitionKey> keys, long tokenMicros, boolean strict, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        long id = next();
        Mailbox<Effect.WriteAnswer> mailbox = new Mailbox<>(safety);
        lock.lock();
        try {
            driver.write(new Event.WriteStarted(id, keys, tokenMicros, strict, coordinator), mailbox);
        } finally {
            lock.unlock();
        }
        return new OwnTicket(clock, mailbox, new OwnWrite(id), deadlineNanos);
    }

    /** As {@link MeteorShower#takeTimestamp}. */
    long takeTimestamp(long timestampMicros) {
        long written;
        long given;
        lock.lock();
        try {
            driver.tell(new Event.TimestampTaken(timestampMicros));
            given = driver.core().view().lastTimestampMicros();
            written = safety.written();
        } finally {
            lock.unlock();
        }
        safety.await(written); // a later life must know
        return given;
    }

    /** A write that began here. */
    private final class OwnWrite implements OwnTicket.Requests {
        private final long id;

        OwnWrite(long id) {
            this.id = id;
        }

        @Override
        public void end() {
            lock.lock();
            try {
                driver.endWrite(id);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public @Nullable String whyPending() {
            lock.lock();
            try {
                return driver.core().view().whyPending(id);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Reads one partition; blocks until that is served, at most until the deadline. */
    <T> MeteorShower.ReadOutcome<T> read(Question question, long deadlineNanos, LocalReader<T> reader)
            throws RequestRefusedException, InterruptedException {
        long id = next();
        Mailbox<Effect.ReadAnswer> mailbox = mailbox();
        Reading<T> reading = new Reading<>(reader, () -> tell(new Event.StoreRead(id)));
        ask(question, id, mailbox);
        try {
            while (!reading.isOver()) {
                take(id, mailbox, deadlineNanos).handOver(reading);
            }
        } finally {
            if (!reading.isOver()) {
                end(id);
            }
        }
        return reading.outcome();
    }

    /** The next answer to a request. Blocks until it is there, at most until the deadline. */
    Effect.ReadAnswer take(long id, Mailbox<Effect.ReadAnswer> mailbox, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        Effect.ReadAnswer answer = mailbox.takeOrNull(deadlineNanos, clock);
        if (answer != null) {
            return answer;
        }
        String why = whyWaits(id);
        throw new RequestRefusedException(
                Effect.Failure.TIMED_OUT, why == null ? "no answer before the deadline of the request" : why);
    }

    /** The core's own word comes with its next look at the clock, which is too late. */
    private @Nullable String whyWaits(long readId) {
        lock.lock();
        try {
            return driver.core().view().whyWaits(readId);
        } finally {
            lock.unlock();
        }
    }
}
