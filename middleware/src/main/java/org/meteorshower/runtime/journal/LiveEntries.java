/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;

/** The mutations that are not retired, by name, and what they take of the files. Used by one thread at a time. */
final class LiveEntries {
    private record Name(PartitionKey key, MutationId id) {}

    private final Map<Name, LiveEntry> entries = new HashMap<>();
    private long bytes;

    LiveEntries(Collection<LiveEntry> found) {
        found.forEach(this::add);
    }

    @Nullable
    LiveEntry of(PartitionKey key, MutationId id) {
        return entries.get(new Name(key, id));
    }

    boolean holds(LiveEntry entry) {
        return of(entry.key, entry.id) == entry;
    }

    List<LiveEntry> ofTable(UUID table) {
        return entries.values().stream()
                .filter(entry -> entry.key.table().equals(table))
                .toList();
    }

    /** In its segment, too. */
    void add(LiveEntry entry) {
        entries.put(new Name(entry.key, entry.id), entry);
        entry.segment.link(entry);
        bytes += Segment.sizeOf(entry.bodyBytes);
    }

    /** Of its segment, too. */
    void remove(LiveEntry entry) {
        entries.remove(new Name(entry.key, entry.id));
        entry.segment.unlink(entry);
        bytes -= Segment.sizeOf(entry.bodyBytes);
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }
}
