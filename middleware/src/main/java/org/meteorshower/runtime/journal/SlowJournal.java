/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.Safety;

/** A journal on a disk that is slow: each write takes longer by a pause that can change all the time. For tests. */
public final class SlowJournal implements Journal {
    private final Journal journal;
    private final LongSupplier pauseMicros;

    public SlowJournal(Journal journal, LongSupplier pauseMicros) {
        this.journal = journal;
        this.pauseMicros = pauseMicros;
    }

    private Journal afterPause() {
        long micros = pauseMicros.getAsLong();
        if (micros > 0) {
            long untilNanos = System.nanoTime() + 1_000 * micros;
            for (long leftNanos = 1_000 * micros; leftNanos > 0; leftNanos = untilNanos - System.nanoTime()) {
                LockSupport.parkNanos(leftNanos);
            }
        }
        return journal;
    }

    @Override
    public Contents contents() {
        return journal.contents();
    }

    @Override
    public @Nullable String obstacle(Update update) {
        return journal.obstacle(update);
    }

    @Override
    public @Nullable String obstacle() {
        return journal.obstacle();
    }

    @Override
    public boolean isNearlyFull() {
        return journal.isNearlyFull();
    }

    @Override
    public void applied(Update update, long appliedMicros) {
        afterPause().applied(update, appliedMicros);
    }

    @Override
    public void retired(PartitionKey key, MutationId id) {
        journal.retired(key, id); // nobody waits for this one to be on disk
    }

    @Override
    public @Nullable Reading reading(PartitionKey key, MutationId id) {
        Reading reading = journal.reading(key, id);
        return reading == null ? null : new SlowReading(reading);
    }

    private final class SlowReading implements Reading {
        private final Reading reading;

        SlowReading(Reading reading) {
            this.reading = reading;
        }

        @Override
        public Update read() {
            var unused = afterPause();
            return reading.read();
        }

        @Override
        public void close() {
            reading.close();
        }
    }

    @Override
    public void ceiling(long ceilingMicros) {
        afterPause().ceiling(ceilingMicros);
    }

    @Override
    public void table(TableState state) {
        afterPause().table(state);
    }

    @Override
    public void tableDropped(UUID table) {
        afterPause().tableDropped(table);
    }

    @Override
    public void stale(NodeId peer, boolean stale) {
        afterPause().stale(peer, stale);
    }

    @Override
    public Safety safety() {
        return journal.safety();
    }

    @Override
    public void close() {
        journal.close();
    }
}
