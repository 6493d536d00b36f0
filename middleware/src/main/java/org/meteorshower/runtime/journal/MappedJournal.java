/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.Safety;
import org.meteorshower.runtime.UpdateCodec;

/**
 * A {@link Journal} in memory-mapped files of one directory, which belongs to it alone. Used by one thread at a time.
 *
 * <p>An entry costs about a microsecond. When less than half of the files is live, the oldest file's live entries are
 * moved to the end, two with every call, and the file goes; so the files stay within about twice of what is live, even
 * if one mutation never retires. {@link SyncPolicy} says what survives the death of the machine.
 *
 * @see JournalFullException for what happens when there is no room
 */
public final class MappedJournal implements Journal {
    private static final int MOVES_PER_CALL = 2;

    private final UpdateCodec codec;
    /** Volatile: the background thread asks it when to force. */
    private volatile JournalOptions options;

    private final DirectoryLock lock;
    private final SegmentPool pool;
    private final ForcedMark mark;
    /** Null where nobody waits for the disk. */
    private final @Nullable GroupCommit commits;

    private final JournalState state;
    private final LiveEntries live;
    /** Oldest first; the last one is written. Concurrent, because the background thread forces them. */
    private final ConcurrentLinkedDeque<Segment> segments = new ConcurrentLinkedDeque<>();

    private Segment active;
    private int segmentCount;
    private long totalBytes;
    private long nextMutation;
    private @Nullable Contents contents;
    private boolean closed;

    /**
     * Opens the journal, or begins one if the directory is empty. The new incarnation is on disk when this returns.
     *
     * @throws IOException if the directory cannot be used, or another process uses it
     * @throws JournalDamagedException if what is there cannot be trusted
     */
    public static MappedJournal open(Path directory, UpdateCodec codec, JournalOptions options) throws IOException {
        SegmentFiles.makeDirectory(directory);
        DirectoryLock lock = DirectoryLock.take(directory);
        try {
            SegmentFiles.deleteSpares(directory);
            return new MappedJournal(directory, lock, new Recovery(directory, codec), codec, options);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private MappedJournal(Path directory, DirectoryLock lock, Recovery found, UpdateCodec codec, JournalOptions options)
            throws IOException {
        this.codec = codec;
        this.options = options;
        this.lock = lock;
        this.mark = found.mark;
        this.state = found.state;
        this.nextMutation = found.nextMutation;
        this.live = new LiveEntries(found.live);
        found.segments.forEach(this::addSegment);
        // A journal that was thrown away must not begin again with incarnations its peers have seen: the first one is
        // the time in seconds, which no sequence of restarts catches up with.
        state.incarnation = found.segments.isEmpty() ? System.currentTimeMillis() / 1_000 : state.incarnation + 1;
        this.contents = new Contents(
                state.incarnation,
                state.ceilingMicros,
                updates(List.copyOf(found.live)),
                List.copyOf(state.tables.values()),
                List.copyOf(state.stalePeers));
        this.pool = new SegmentPool(directory, options.segmentBytes(), options.sync(), this::forceAll);
        try {
            pool.reserve();
            this.active = begin(found.nextSegment);
            active.force();
            SegmentFiles.forceDirectory(directory);
            while (reclaim(Integer.MAX_VALUE)) {}
            this.commits = options.sync().kind() == SyncPolicy.Kind.ALWAYS ? new GroupCommit(this::forceAll) : null;
        } catch (IOException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Read when their turn comes: all of them together may not fit into memory. Those that have been retired since are
     * left out.
     */
    private Iterable<JournaledUpdate> updates(List<LiveEntry> found) {
        return () -> found.stream()
                .filter(entry -> live.holds(entry))
                .map(this::journaled)
                .iterator();
    }

    private JournaledUpdate journaled(LiveEntry entry) {
        try (MappedReading reading = new MappedReading(entry, codec)) {
            return reading.journaled();
        }
    }

    /** {@inheritDoc} Handed out at the first call only; the mutations in the order in which they were stamped. */
    @Override
    public Contents contents() {
        Contents read = contents;
        if (read == null) {
            throw new IllegalStateException("the journal's contents have been read already");
        }
        contents = null;
        return read;
    }

    /** Costs next to nothing while there is room for a whole segment more; may wait for the disk where there is not. */
    @Override
    public @Nullable String obstacle(Update update) {
        boolean small = 4L * update.sizeBytes() < options.segmentBytes();
        if (small && segmentCount < options.maxSegments() && pool.hasSpare()) {
            return null;
        }
        int bodyBytes = EntryType.APPLIED_HEADER_BYTES + codec.encode(update).length;
        return obstacleTo(bodyBytes);
    }

    /** The last quarter of the last segment is for mutations of writes that have begun. */
    @Override
    public @Nullable String obstacle() {
        if (segmentCount < options.maxSegments() && pool.hasSpare()) {
            return null;
        }
        return obstacleTo(options.segmentBytes() / 4);
    }

    private @Nullable String obstacleTo(int bodyBytes) {
        if (active.hasRoomFor(bodyBytes)) {
            return null;
        }
        try {
            ensureRollable(bodyBytes, false);
            return null;
        } catch (JournalFullException e) {
            return e.getMessage();
        }
    }

    /** Before {@link #obstacle()} says so: half of the last segment is left. */
    @Override
    public boolean isNearlyFull() {
        return segmentCount >= options.maxSegments() && !active.hasRoomFor(options.segmentBytes() / 2);
    }

    /** @throws JournalFullException if there is no room; then the mutation must not be applied */
    @Override
    public void applied(Update update, long appliedMicros) {
        byte[] encoded = codec.encode(update);
        int bodyBytes = EntryType.APPLIED_HEADER_BYTES + encoded.length;
        LiveEntry earlier = live.of(update.key(), update.id());
        long number = earlier == null ? nextMutation++ : earlier.number;
        body(bodyBytes, false)
                .put(EntryType.APPLIED)
                .putLong(number)
                .putLong(appliedMicros)
                .put(encoded);
        int offset = active.commit(bodyBytes);
        if (earlier != null) {
            live.remove(earlier);
        }
        live.add(new LiveEntry(update.key(), update.id(), number, active, offset, bodyBytes));
        if (commits != null) {
            commits.wrote();
        }
        var unused = reclaim(MOVES_PER_CALL);
    }

    /**
     * Does nothing if the mutation is not in the journal (any more). Nobody waits for this one to be on disk: where it
     * is lost the mutation is announced once more.
     */
    @Override
    public void retired(PartitionKey key, MutationId id) {
        LiveEntry entry = live.of(key, id);
        if (entry != null) {
            body(1 + 8, true).put(EntryType.RETIRED).putLong(entry.number);
            active.commit(1 + 8);
            live.remove(entry);
            var unused = reclaim(MOVES_PER_CALL);
        }
    }

    @Override
    public @Nullable Reading reading(PartitionKey key, MutationId id) {
        LiveEntry entry = live.of(key, id);
        return entry == null ? null : new MappedReading(entry, codec);
    }

    @Override
    public void ceiling(long ceilingMicros) {
        body(1 + 8, true).put(EntryType.CEILING).putLong(ceilingMicros);
        active.commit(1 + 8);
        state.ceilingMicros = ceilingMicros;
        forced();
    }

    @Override
    public void table(TableState table) {
        int bodyBytes = 1 + 16 + 8 + 1;
        JournalState.writeTable(body(bodyBytes, true).put(EntryType.TABLE), table);
        active.commit(bodyBytes);
        state.tables.put(table.table(), table);
        forced();
    }

    /** Also forgets the table's mutations. */
    @Override
    public void tableDropped(UUID table) {
        JournalState.writeUuid(body(1 + 16, true).put(EntryType.TABLE_DROPPED), table);
        active.commit(1 + 16);
        state.tables.remove(table);
        live.ofTable(table).forEach(entry -> retired(entry.key, entry.id));
        forced();
    }

    @Override
    public void stale(NodeId peer, boolean stale) {
        int bodyBytes = 1 + 16 + 1;
        ByteBuffer body = body(bodyBytes, true).put(EntryType.STALE);
        JournalState.writeUuid(body, peer.value());
        body.put((byte) (stale ? 1 : 0));
        active.commit(bodyBytes);
        if (stale) {
            state.stalePeers.add(peer);
        } else {
            state.stalePeers.remove(peer);
        }
        forced();
    }

    @Override
    public Safety safety() {
        return commits == null ? Safety.AT_ONCE : commits;
    }

    /** Mutations that are not retired. */
    public int liveMutations() {
        return live.size();
    }

    /**
     * Changes what the journal may take on disk. Where it takes more already, it refuses mutations until it has shrunk.
     *
     * @throws IllegalArgumentException if that is less than four segments
     */
    public void limit(long maxBytes) {
        options = options.withMaxBytes(maxBytes);
    }

    /** What it may take on disk before it refuses mutations. */
    public long limitBytes() {
        return options.maxBytes();
    }

    /** What the files take on disk, but for one or two spare ones. */
    public long diskBytes() {
        return totalBytes;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (commits != null) {
                commits.close();
            }
            forceAll();
            pool.close();
            lock.close();
        }
    }

    /** @param essential whether the entry may go beyond the journal's limit */
    private ByteBuffer body(int bodyBytes, boolean essential) {
        if (closed) {
            throw new IllegalStateException("the journal is closed");
        }
        if (!active.hasRoomFor(bodyBytes)) {
            roll(bodyBytes, essential);
        }
        return active.body(bodyBytes);
    }

    private void roll(int bodyBytes, boolean essential) {
        ensureRollable(bodyBytes, essential);
        // Sealed, and on disk, before the next file appears: a segment that is not the newest must be complete.
        active.seal();
        if (options.sync().kind() != SyncPolicy.Kind.NEVER) {
            active.force();
        }
        active = begin(active.number + 1);
    }

    /** Sees to it that the next segment can begin, with room for the entry. */
    private void ensureRollable(int bodyBytes, boolean essential) {
        long needed = (long) Segment.FIRST_OFFSET
                + Segment.sizeOf(state.bytes())
                + Segment.sizeOf(bodyBytes)
                + Segment.END_BYTES;
        if (needed > options.segmentBytes()) {
            throw JournalFullException.tooLarge(bodyBytes, options.segmentBytes());
        }
        if (!essential && segmentCount >= options.maxSegments()) {
            throw JournalFullException.atLimit(options.maxBytes(), live.size());
        }
        pool.reserve();
    }

    private Segment begin(long number) {
        Segment segment = pool.take(number);
        int bodyBytes = state.bytes();
        segment.start();
        state.write(segment.body(bodyBytes));
        segment.commit(bodyBytes);
        addSegment(segment);
        mark.begin(segment, options.sync());
        return segment;
    }

    private void addSegment(Segment segment) {
        segments.addLast(segment);
        segmentCount++;
        totalBytes += segment.capacity();
    }

    /** What is seldom told is safe when the call returns. */
    private void forced() {
        if (options.sync().kind() == SyncPolicy.Kind.ALWAYS) {
            active.force();
        }
        var unused = reclaim(MOVES_PER_CALL);
    }

    /** Gives back old segments. Returns whether the oldest one went. */
    private boolean reclaim(int moves) {
        Segment oldest = segments.getFirst();
        if (oldest.number == active.number) {
            return false;
        }
        boolean mostlyDead = segmentCount > 2 && live.bytes() * 2 < totalBytes - active.capacity();
        try {
            for (int i = 0; mostlyDead && i < moves && oldest.firstLive != null; i++) {
                move(oldest.firstLive);
            }
        } catch (JournalFullException e) {
            // Nothing is lost: it is tried again with the next entry.
            return false;
        }
        if (oldest.firstLive != null) {
            return false;
        }
        segments.removeFirst();
        segmentCount--;
        totalBytes -= oldest.capacity();
        pool.giveBack(oldest);
        return true;
    }

    private void move(LiveEntry entry) {
        Segment from = entry.segment;
        ByteBuffer body = from.bytes().slice(entry.offset + Segment.HEADER_BYTES, entry.bodyBytes);
        body(entry.bodyBytes, true).put(body);
        int offset = active.commit(entry.bodyBytes);
        from.unlink(entry);
        entry.offset = offset;
        active.link(entry);
    }

    private void forceAll() {
        if (options.sync().kind() != SyncPolicy.Kind.NEVER) {
            mark.force(segments);
        }
    }
}
