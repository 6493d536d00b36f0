/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.simulator.CellStore;
import org.meteorshower.simulator.CellUpdate;

/** What a node keeps through a crash: its store, and what the core wanted journaled. */
final class Disk {
    final CellStore store = new CellStore(false);
    private final Map<Message.RetiredMutation, Recovery.StampedUpdate> journal = new LinkedHashMap<>();
    private final List<Recovery.RecoveredTable> tables = new ArrayList<>();
    private final Set<NodeId> stale = new TreeSet<>();
    private long ceilingMicros;
    private long incarnation;

    void stamped(Effect.JournalApplied applied) {
        journal.put(
                new Message.RetiredMutation(
                        applied.update().key(), applied.update().id()),
                new Recovery.StampedUpdate(applied.update(), applied.appliedMicros()));
    }

    void retired(Effect.JournalRetired retired) {
        journal.remove(new Message.RetiredMutation(retired.key(), retired.id()));
    }

    void ceiling(Effect.PersistCeiling ceiling) {
        ceilingMicros = ceiling.ceilingMicros();
    }

    void table(Effect.JournalTable table) {
        tables.clear();
        tables.add(new Recovery.RecoveredTable(table.table(), table.sinceMicros(), table.baseline(), table.ready()));
    }

    void tableDropped() {
        tables.clear();
    }

    void stale(Effect.JournalStale peer) {
        if (peer.stale()) {
            stale.add(peer.peer());
        } else {
            stale.remove(peer.peer());
        }
    }

    /** The content of what was stamped and not retired. */
    CellUpdate read(PartitionKey key, MutationId id) {
        Recovery.StampedUpdate stamped = journal.get(new Message.RetiredMutation(key, id));
        if (stamped == null) {
            throw new IllegalStateException("the journal does not hold " + id);
        }
        return (CellUpdate) stamped.update();
    }

    boolean isNew() {
        return tables.isEmpty();
    }

    void loseJournal() {
        journal.clear();
    }

    void loseCeiling() {
        ceilingMicros = 0;
    }

    /** What the next life of the node starts from. */
    Recovery recovery() {
        return new Recovery(
                ++incarnation, ceilingMicros, List.copyOf(journal.values()), List.copyOf(tables), List.copyOf(stale));
    }
}
