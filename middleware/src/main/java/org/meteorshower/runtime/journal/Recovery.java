/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.driver.JournalWriter.TableState;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a directory's segments at start. Used once, by one thread. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int WARNINGS = 10;

    private record Place(Segment segment, int offset, int bodyBytes) {}

    final JournalState state = new JournalState();
    final ForcedMark mark;
    final List<Segment> segments;
    final List<LiveEntry> live = new ArrayList<>();
    /** Larger than every number in use. */
    long nextMutation = 1;
    /** Larger than that of every segment. */
    long nextSegment = 1;

    /** By the number of the mutation, which is the order in which they were stamped first. */
    private final Map<Long, Place> places = new TreeMap<>();

    Recovery(Path directory, UpdateCodec codec) throws IOException {
        this(SegmentFiles.open(directory), new ForcedMark(directory), codec);
    }

    /** @param found oldest first */
    Recovery(List<Segment> found, ForcedMark mark, UpdateCodec codec) throws IOException {
        this.mark = mark;
        segments = new ArrayList<>(found);
        for (int i = 0; i < segments.size(); i++) {
            read(segments.get(i), i == segments.size() - 1);
        }
        decode(codec);
    }

    private void read(Segment segment, boolean last) throws IOException {
        boolean sealed = SegmentReader.read(segment, mark.safeUntil(segment), last, (offset, body) -> {
            int bodyBytes = body.remaining();
            try {
                entry(segment, offset, body);
            } catch (BufferUnderflowException e) {
                throw new JournalDamagedException(
                        segment.path(), offset, "an entry of " + bodyBytes + " bytes is too short for its type");
            }
        });
        if (segment.position() == Segment.FIRST_OFFSET) {
            if (sealed || !last) {
                throw new JournalDamagedException(segment.path(), Segment.FIRST_OFFSET, "the first entry is missing");
            }
            // The process died while it began this segment: nothing was in it yet.
            segments.remove(segment);
            Files.deleteIfExists(segment.path());
            nextSegment = segment.number;
            return;
        }
        nextSegment = segment.number + 1;
        if (!sealed) {
            if (!segment.hasRoomFor(0)) {
                throw new JournalDamagedException(segment.path(), segment.position(), "the end mark is missing");
            }
            segment.seal();
            // The next segment is forced soon; where the power goes then, this mark must not be missing.
            segment.force();
        }
    }

    private void entry(Segment segment, int offset, ByteBuffer body) {
        int bodyBytes = body.remaining();
        byte type = body.get();
        if ((type == EntryType.STATE) != (offset == Segment.FIRST_OFFSET)) {
            throw new JournalDamagedException(
                    segment.path(), offset, "an entry of type " + type + " has no place here");
        }
        switch (type) {
            case EntryType.STATE -> state.read(body);
            case EntryType.APPLIED -> {
                long number = body.getLong();
                // Read later, when it is known what is live; that it is there is to be known now.
                var unused = body.getLong();
                nextMutation = Math.max(nextMutation, number + 1);
                places.put(number, new Place(segment, offset, bodyBytes));
            }
            case EntryType.RETIRED -> {
                long number = body.getLong();
                nextMutation = Math.max(nextMutation, number + 1);
                places.remove(number);
            }
            case EntryType.CEILING -> state.ceilingMicros = body.getLong();
            case EntryType.TABLE -> {
                TableState table = JournalState.readTable(body);
                state.tables.put(table.table(), table);
            }
            case EntryType.TABLE_DROPPED -> state.tables.remove(JournalState.readUuid(body));
            case EntryType.STALE -> {
                NodeId peer = new NodeId(JournalState.readUuid(body));
                if (body.get() != 0) {
                    state.stalePeers.add(peer);
                } else {
                    state.stalePeers.remove(peer);
                }
            }
            default ->
                throw new JournalDamagedException(
                        segment.path(), offset, "type " + type + " is not known; a newer version may have written it");
        }
    }

    /** Only now, when it is known what is live: the rest need not be decodable. */
    private void decode(UpdateCodec codec) {
        int skipped = 0;
        for (var entry : places.entrySet()) {
            Place place = entry.getValue();
            ByteBuffer body = place.segment.bytes().slice(place.offset + Segment.HEADER_BYTES, place.bodyBytes);
            try {
                Update update = codec.decode(encoded(body));
                LiveEntry found = new LiveEntry(
                        update.key(), update.id(), entry.getKey(), place.segment, place.offset, place.bodyBytes);
                live.add(found);
            } catch (IllegalArgumentException e) {
                if (skipped++ < WARNINGS) {
                    LOG.warn(
                            "A journaled mutation is left out ({} byte {}): {}. This is right if its table was dropped.",
                            place.segment.path(),
                            place.offset,
                            e.getMessage());
                }
            }
        }
        if (skipped > WARNINGS) {
            LOG.warn("{} journaled mutations in all were left out", skipped);
        }
        places.clear();
    }

    private static ByteBuffer encoded(ByteBuffer body) {
        byte[] encoded = new byte[body.capacity() - EntryType.APPLIED_HEADER_BYTES];
        body.get(EntryType.APPLIED_HEADER_BYTES, encoded);
        return ByteBuffer.wrap(encoded);
    }
}
