/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** Reads what {@link AnnouncementWriter} wrote. One instance per message; not thread-safe. */
final class AnnouncementReader {
    private final WireInput in;
    private final List<UUID> tables = new ArrayList<>(4);
    private final List<Long> shapes = new ArrayList<>(4);
    private long previousMicros;

    AnnouncementReader(WireInput in, long hlcMicros) {
        this.in = in;
        this.previousMicros = hlcMicros;
    }

    List<Announcement> read() throws BadMessageException {
        int count = in.count("announcements", AnnouncementWriter.LEAST_BYTES);
        if (count == 0) {
            return List.of();
        }
        List<Announcement> announcements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            announcements.add(readOne());
        }
        return Collections.unmodifiableList(announcements);
    }

    private Announcement readOne() throws BadMessageException {
        int reference = in.number("a table's number", tables.size());
        if (reference == 0) {
            tables.add(in.uuid());
            reference = tables.size();
        }
        PartitionKey key = new PartitionKey(tables.get(reference - 1), in.sized("a key", MessageCodec.MAX_KEY_BYTES));
        long timestampMicros = previousMicros + in.signed();
        MutationId id = new MutationId(timestampMicros, in.fixed64());
        long oldestMicros = timestampMicros - in.signed();
        reference = in.number("a shape's number", shapes.size());
        if (reference == 0) {
            shapes.add(in.fixed64());
            reference = shapes.size();
        }
        long shape = shapes.get(reference - 1);
        long row = in.number("the mark of a row", 1) == 0 ? Update.ANY_ROW : in.fixed64();
        long appliedMicros = timestampMicros + in.signed();
        previousMicros = timestampMicros;
        return new Announcement(key, id, oldestMicros, shape, row, appliedMicros);
    }
}
