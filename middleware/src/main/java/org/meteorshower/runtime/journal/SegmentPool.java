/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a file ready for the next segment, so that a roll does not wait for the disk, and takes back those no longer
 * needed. Thread-safe; the slow work is done on two daemon threads.
 */
final class SegmentPool {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);
    private static final int KEPT = 2;
    private static final long RETRY_NANOS = 1_000_000_000L;

    private record Spare(Path path, MappedByteBuffer bytes) {}

    private final Path directory;
    private final int segmentBytes;
    private final Runnable forceAll;
    /** Whether anything must survive the loss of power: then files' names must, too. */
    private final boolean forced;
    /** Makes files. */
    private final ScheduledThreadPoolExecutor maker = oneThread("meteorshower-journal-files");
    /** Forces to disk, and gives files back when that is done; of its own, so that no new file waits for a disk. */
    private final ScheduledThreadPoolExecutor syncer = oneThread("meteorshower-journal-sync");

    private final ArrayDeque<Spare> spares = new ArrayDeque<>();
    private long nextSpare;
    private @Nullable IOException trouble;
    private long troubleNanos;

    /** @param forceAll forces what must be on disk before an old segment may go */
    SegmentPool(Path directory, int segmentBytes, SyncPolicy sync, Runnable forceAll) {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.forceAll = forceAll;
        forced = sync.kind() != SyncPolicy.Kind.NEVER;
        if (sync.kind() == SyncPolicy.Kind.BATCH) {
            var unused = syncer.scheduleWithFixedDelay(
                    this::forceLogged, sync.batchMillis(), sync.batchMillis(), TimeUnit.MILLISECONDS);
        }
        inBackground(maker, this::prepare);
    }

    /**
     * Sees to it that {@link #take} finds a file. Waits for the disk only if segments fill faster than files are made.
     */
    synchronized void reserve() {
        if (!spares.isEmpty()) {
            return;
        }
        // A full disk is asked again once a second, not once a mutation.
        IOException recent = trouble;
        if (recent != null && System.nanoTime() - troubleNanos < RETRY_NANOS) {
            throw full(recent);
        }
        try {
            make();
        } catch (IOException e) {
            throw full(e);
        }
    }

    /** Whether {@link #take} finds a file now, without {@link #reserve}. */
    synchronized boolean hasSpare() {
        return !spares.isEmpty();
    }

    /** A new segment; {@link #reserve} must have returned. */
    synchronized Segment take(long number) {
        Path path = SegmentFiles.segment(directory, number);
        Spare spare = spares.element();
        try {
            Files.move(spare.path, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw full(e);
        }
        spares.remove();
        forceNames();
        inBackground(maker, this::prepare);
        return new Segment(number, path, spare.bytes);
    }

    /**
     * Forcing what a file holds does not force its name: after a loss of power the segment could be a spare file again,
     * and be deleted with all that is in it.
     */
    private void forceNames() {
        try {
            if (forced) {
                SegmentFiles.forceDirectory(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the journal's directory " + directory + " cannot be forced to disk", e);
        }
    }

    private JournalFullException full(IOException cause) {
        return new JournalFullException(
                "the journal cannot make a file of " + segmentBytes + " bytes in " + directory + ": "
                        + cause.getMessage()
                        + ". Make room on the disk; until then mutations of enabled tables are refused.",
                cause);
    }

    /** Takes back a segment that holds nothing live. Segments must come oldest first. */
    void giveBack(Segment segment) {
        inBackground(syncer, () -> {
            try {
                forceAll.run();
                awaitReaders(segment);
                Path spare = nextSparePath();
                Files.move(segment.path(), spare, StandardCopyOption.ATOMIC_MOVE);
                forceNames(); // else a later one could be gone after a loss of power, and this one not
                keep(new Spare(spare, segment.bytes()));
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("The old journal file {} cannot be removed: {}", segment.path(), e.toString());
            }
        });
    }

    /** Each reads one entry, which was in it before it was given back. */
    private static void awaitReaders(Segment segment) {
        while (segment.isRead()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    void close() {
        maker.shutdown();
        syncer.shutdown();
        try {
            if (!maker.awaitTermination(10, TimeUnit.SECONDS) || !syncer.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("The journal's files in {} are still busy; closing without waiting any longer", directory);
            }
            SegmentFiles.deleteSpares(directory);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("Spare journal files in {} were left behind: {}", directory, e.toString());
        }
    }

    private synchronized void prepare() {
        if (spares.isEmpty()) {
            try {
                make();
            } catch (IOException e) {
                LOG.error(
                        "The next journal file cannot be made in {}: {}. Make room on the disk.",
                        directory,
                        e.toString());
            }
        }
    }

    private synchronized void make() throws IOException {
        Path path = nextSparePath();
        try {
            spares.add(new Spare(path, SegmentFiles.create(path, segmentBytes, forced)));
            trouble = null;
        } catch (IOException e) {
            trouble = e;
            troubleNanos = System.nanoTime();
            throw e;
        }
    }

    private synchronized void keep(Spare spare) throws IOException {
        if (spares.size() < KEPT && spare.bytes.capacity() == segmentBytes) {
            spares.add(spare);
            trouble = null;
            return;
        }
        // The mapping lasts until it is collected; without this the disk would stay full that long.
        Files.newByteChannel(spare.path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                .close();
        Files.delete(spare.path);
    }

    private synchronized Path nextSparePath() {
        return SegmentFiles.spare(directory, nextSpare++);
    }

    private static void inBackground(ScheduledThreadPoolExecutor thread, Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("The journal is closing", e);
        }
    }

    private static ScheduledThreadPoolExecutor oneThread(String name) {
        return new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    private void forceLogged() {
        try {
            forceAll.run();
        } catch (RuntimeException e) {
            // Thrown on would end the periodic task for good.
            LOG.error("The journal in {} could not be forced to disk: {}", directory, e.toString());
        }
    }
}
