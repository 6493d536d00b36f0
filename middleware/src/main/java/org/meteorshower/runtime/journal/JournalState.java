/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.meteorshower.driver.JournalWriter.TableState;
import org.meteorshower.protocol.NodeId;

/** The small state that every segment begins with. Not thread-safe. */
final class JournalState {
    private static final int TABLE_BYTES = 16 + 8 + 1;
    private static final int NODE_BYTES = 16;

    long incarnation;
    long ceilingMicros;
    final Map<UUID, TableState> tables = new LinkedHashMap<>();
    final Set<NodeId> stalePeers = new TreeSet<>();

    int bytes() {
        return 1 + 8 + 8 + 4 + tables.size() * TABLE_BYTES + 4 + stalePeers.size() * NODE_BYTES;
    }

    void write(ByteBuffer to) {
        to.put(EntryType.STATE).putLong(incarnation).putLong(ceilingMicros).putInt(tables.size());
        tables.values().forEach(table -> writeTable(to, table));
        to.putInt(stalePeers.size());
        stalePeers.forEach(peer -> writeUuid(to, peer.value()));
    }

    /** Reads what follows the type. The entry's checksum has been verified, so only its own writer is to be trusted. */
    void read(ByteBuffer from) {
        incarnation = from.getLong();
        ceilingMicros = from.getLong();
        tables.clear();
        for (int left = from.getInt(); left > 0; left--) {
            TableState table = readTable(from);
            tables.put(table.table(), table);
        }
        stalePeers.clear();
        for (int left = from.getInt(); left > 0; left--) {
            stalePeers.add(new NodeId(readUuid(from)));
        }
    }

    static void writeTable(ByteBuffer to, TableState table) {
        writeUuid(to, table.table());
        to.putLong(table.sinceMicros())
                .put((byte) ((table.baseline() ? 1 : 0) | (table.ready() ? 2 : 0) | (table.live() ? 4 : 0)));
    }

    static TableState readTable(ByteBuffer from) {
        UUID table = readUuid(from);
        long sinceMicros = from.getLong();
        byte flags = from.get();
        return new TableState(table, sinceMicros, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0);
    }

    static void writeUuid(ByteBuffer to, UUID uuid) {
        to.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }

    static UUID readUuid(ByteBuffer from) {
        return new UUID(from.getLong(), from.getLong());
    }
}
