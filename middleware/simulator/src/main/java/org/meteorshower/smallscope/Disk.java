/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.Update;
import org.meteorshower.simulator.CellStore;
import org.meteorshower.simulator.CellUpdate;

/** What a node keeps through a crash: its store, and what the core wanted journaled. */
final class Disk implements JournalWriter {
    final CellStore store = new CellStore(false);
    private final Map<Message.RetiredMutation, Recovery.StampedUpdate> journal = new LinkedHashMap<>();
    private final List<Recovery.RecoveredTable> tables = new ArrayList<>();
    private final Set<NodeId> stale = new TreeSet<>();
    private long ceilingMicros;
    private long incarnation;

    @Override
    public void applied(Update update, long appliedMicros) {
        journal.put(
                new Message.RetiredMutation(update.key(), update.id()),
                new Recovery.StampedUpdate(update, appliedMicros));
    }

    @Override
    public void retired(PartitionKey key, MutationId id) {
        journal.remove(new Message.RetiredMutation(key, id));
    }

    @Override
    public void ceiling(long micros) {
        ceilingMicros = micros;
    }

    @Override
    public void table(TableState state) {
        tables.clear();
        tables.add(new Recovery.RecoveredTable(
                state.table(), state.sinceMicros(), state.baseline(), state.ready(), state.live()));
    }

    @Override
    public void tableDropped(UUID table) {
        tables.clear();
    }

    @Override
    public void stale(NodeId peer, boolean leftBehind) {
        if (leftBehind) {
            stale.add(peer);
        } else {
            stale.remove(peer);
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
