/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Update;

/**
 * Writes announcements compactly: tables and shapes, of which one message has few, are written out once and then named
 * by a number, and times as differences. One instance per message; not thread-safe.
 */
final class AnnouncementWriter {
    /** What an announcement takes at least: five small numbers, a digest, two references and an empty key. */
    static final int LEAST_BYTES = 15;

    private final WireOutput out;
    private final Map<UUID, Integer> tables = new HashMap<>();
    private final Map<Long, Integer> shapes = new HashMap<>();
    private long previousMicros;

    AnnouncementWriter(WireOutput out, long hlcMicros) {
        this.out = out;
        this.previousMicros = hlcMicros;
    }

    void write(List<Announcement> announcements) {
        out.varint(announcements.size());
        announcements.forEach(this::write);
    }

    private void write(Announcement announcement) {
        UUID table = announcement.key().table();
        Integer known = tables.putIfAbsent(table, tables.size() + 1);
        if (known == null) {
            out.varint(0).uuid(table);
        } else {
            out.varint(known);
        }
        long timestampMicros = announcement.id().timestampMicros();
        out.sized(announcement.key().bytes())
                .signed(timestampMicros - previousMicros)
                .fixed64(announcement.id().digest())
                .signed(timestampMicros - announcement.oldestTimestampMicros());
        known = shapes.putIfAbsent(announcement.shape(), shapes.size() + 1);
        if (known == null) {
            out.varint(0).fixed64(announcement.shape());
        } else {
            out.varint(known);
        }
        if (announcement.row() == Update.ANY_ROW) {
            out.u8(0);
        } else {
            out.u8(1).fixed64(announcement.row());
        }
        out.signed(announcement.appliedMicros() - timestampMicros);
        previousMicros = timestampMicros;
    }
}
