/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.Update;

/** What a simulated node's journal keeps over a crash. The store is apart. */
final class NodeDisk {
    private final Map<MutationName, Recovery.StampedUpdate> journal = new LinkedHashMap<>();
    private final Map<UUID, Recovery.RecoveredTable> tables = new LinkedHashMap<>();
    private final Set<NodeId> stale = new TreeSet<>();
    private long ceilingMicros;
    private long incarnation;
    private long fullUntilMicros;

    /** Whether data came in that nobody announced, and it is not known yet what came with it. */
    boolean foreignData;

    /**
     * What was stamped under names that the table has no longer here is put into the store, which may have lost it:
     * nobody else will bring it, and what the store holds is what the next epoch begins with.
     */
    void settleMoved(Collection<UUID> names, CellStore store) {
        journal.values().removeIf(stamped -> {
            boolean moved = !names.contains(stamped.update().key().table());
            if (moved) {
                CellUpdate update = (CellUpdate) stamped.update();
                store.absorb(update.key(), update.cells());
            }
            return moved;
        });
    }

    /** For the next life of the node. */
    Recovery recovery() {
        incarnation++;
        return new Recovery(
                incarnation,
                ceilingMicros,
                List.copyOf(journal.values()),
                List.copyOf(tables.values()),
                List.copyOf(stale));
    }

    List<UUID> tables() {
        return List.copyOf(tables.keySet());
    }

    boolean holds(MutationName name) {
        return journal.containsKey(name);
    }

    /** The content of what was stamped and not retired; null where the journal does not hold it. */
    @Nullable
    CellUpdate read(MutationName name) {
        Recovery.StampedUpdate stamped = journal.get(name);
        return stamped == null ? null : (CellUpdate) stamped.update();
    }

    boolean hasLeftBehind(NodeId peer) {
        return stale.contains(peer);
    }

    void stamped(Update update, long appliedMicros) {
        journal.put(new MutationName(update.key(), update.id()), new Recovery.StampedUpdate(update, appliedMicros));
    }

    /** Takes nothing new for a while. */
    void fill(long untilMicros) {
        fullUntilMicros = untilMicros;
    }

    boolean isFull(long nowMicros) {
        return nowMicros < fullUntilMicros;
    }

    void retired(MutationName name) {
        journal.remove(name);
    }

    void ceiling(long micros) {
        ceilingMicros = micros;
    }

    void table(JournalWriter.TableState table) {
        tables.put(
                table.table(),
                new Recovery.RecoveredTable(
                        table.table(), table.sinceMicros(), table.baseline(), table.ready(), table.live()));
    }

    void dropped(UUID table) {
        tables.remove(table);
    }

    void stale(NodeId peer, boolean leftBehind) {
        if (leftBehind) {
            stale.add(peer);
        } else {
            stale.remove(peer);
        }
    }

    /** The mistake of reading at another place: the next entry's content, the first one's for the last. */
    CellUpdate readNext(MutationName name) {
        boolean found = false;
        CellUpdate first = null;
        for (Map.Entry<MutationName, Recovery.StampedUpdate> entry : journal.entrySet()) {
            CellUpdate update = (CellUpdate) entry.getValue().update();
            if (found) {
                return update;
            }
            first = first == null ? update : first;
            found = entry.getKey().equals(name);
        }
        return Objects.requireNonNull(first);
    }

    // --- mistakes --------------------------------------------------------------------------------------------------

    void loseCeiling() {
        ceilingMicros = 0;
    }

    void loseJournal() {
        journal.clear();
    }

    /** What was stamped before this. */
    void loseWhatIsOlder(long stampMicros) {
        journal.values().removeIf(stamped -> stamped.appliedMicros() < stampMicros);
    }

    /** Of a machine that dies with a journal and a commit log that were not forced to disk. */
    void loseTheTail() {
        List<MutationName> names = List.copyOf(journal.keySet());
        names.subList(Math.max(0, names.size() - 20), names.size()).forEach(journal::remove);
    }
}
