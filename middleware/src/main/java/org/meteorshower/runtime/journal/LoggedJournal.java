/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.Safety;

/**
 * A journal that stands in for the store's own log: nobody waits for that one to be on disk. So a mutation is forgotten
 * only once it is there. Until then a restart would find it here, and apply it once more. Used by one thread at a time.
 */
public final class LoggedJournal implements Journal {
    /** What is retired and not forgotten; beyond that no mutation is taken. */
    static final long MOST_BYTES = 16L << 20;

    private static final int BYTES_EACH = 160;

    /** Of these, at once: the core's lock is held meanwhile. Each mutation and each tick asks for as many. */
    private static final int FORGOTTEN_AT_ONCE = 64;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private record Name(PartitionKey key, MutationId id) {
        int bytes() {
            return BYTES_EACH + key.bytes().length;
        }
    }

    private final Journal journal;
    private final Safety log;

    /** What is retired, in that order, and how much of the log must be on disk before it may be forgotten. */
    private final Map<Name, Long> retired = new LinkedHashMap<>();

    private long bytes;

    /** @param log how much of the store's log is on disk */
    public LoggedJournal(Journal journal, Safety log) {
        this.journal = journal;
        this.log = log;
    }

    private void forgetWhatIsLogged() {
        Iterator<Map.Entry<Name, Long>> first = retired.entrySet().iterator();
        for (int left = FORGOTTEN_AT_ONCE; left > 0 && first.hasNext(); left--) {
            Map.Entry<Name, Long> next = first.next();
            if (!log.isSafe(next.getValue())) {
                return;
            }
            Name name = next.getKey();
            first.remove();
            bytes -= name.bytes();
            journal.retired(name.key, name.id);
        }
    }

    private @Nullable String tooMuchWaits() {
        return bytes <= MOST_BYTES
                ? null
                : retired.size() + " mutations wait for the commit log to be on disk, and it does not come there:"
                        + " see the node's log, and its disk";
    }

    @Override
    public Contents contents() {
        return journal.contents();
    }

    @Override
    public @Nullable String obstacle(Update update) {
        String waits = tooMuchWaits();
        return waits == null ? journal.obstacle(update) : waits;
    }

    @Override
    public @Nullable String obstacle() {
        String waits = tooMuchWaits();
        return waits == null ? journal.obstacle() : waits;
    }

    @Override
    public boolean isNearlyFull() {
        forgetWhatIsLogged();
        return journal.isNearlyFull();
    }

    @Override
    public void applied(Update update, long appliedMicros) {
        Name name = new Name(update.key(), update.id());
        if (retired.remove(name) != null) { // it is stamped anew
            bytes -= name.bytes();
        }
        forgetWhatIsLogged();
        journal.applied(update, appliedMicros);
    }

    @Override
    public void retired(PartitionKey key, MutationId id) {
        Name name = new Name(key, id);
        if (retired.putIfAbsent(name, log.written()) == null) {
            bytes += name.bytes();
        }
        forgetWhatIsLogged();
    }

    @Override
    public @Nullable Reading reading(PartitionKey key, MutationId id) {
        return journal.reading(key, id);
    }

    @Override
    public void ceiling(long ceilingMicros) {
        journal.ceiling(ceilingMicros);
    }

    @Override
    public void table(TableState state) {
        journal.table(state);
    }

    /**
     * All of its mutations are forgotten with it: waits for the log.
     *
     * @throws IllegalStateException if that does not come to the disk
     */
    @Override
    public void tableDropped(UUID table) {
        awaitLog();
        forgetWhatIsLogged();
        journal.tableDropped(table);
    }

    private void awaitLog() {
        long number = log.written();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        boolean interrupted = false;
        try {
            while (!log.isSafe(number)) {
                try {
                    if (!log.await(number, deadline)) {
                        throw new IllegalStateException("the commit log has not come to the disk within 30 s, so the"
                                + " journal cannot forget a table's mutations");
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void stale(NodeId peer, boolean stale) {
        journal.stale(peer, stale);
    }

    @Override
    public Safety safety() {
        return journal.safety();
    }

    @Override
    public void close() {
        journal.close(); // what it has not forgotten is applied once more
    }
}
