/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** The journal of a simulated node: its disk, and whoever judges what is written there. */
final class SimulatedJournal implements JournalWriter {
    private final SimulatedNode node;
    private final NodeDisk disk;
    private final Scheduler scheduler;
    private final Oracle oracle;
    private final Promises promises;

    SimulatedJournal(SimulatedNode node, NodeDisk disk, Scheduler scheduler, Oracle oracle, Promises promises) {
        this.node = node;
        this.disk = disk;
        this.scheduler = scheduler;
        this.oracle = oracle;
        this.promises = promises;
    }

    @Override
    public @Nullable String obstacle(Update update) {
        return obstacle();
    }

    @Override
    public @Nullable String obstacle() {
        return disk.isFull(scheduler.nowMicros()) ? "the disk is full" : null;
    }

    @Override
    public void applied(Update update, long appliedMicros) {
        oracle.stamped(node.number, (CellUpdate) update, appliedMicros);
        promises.stamped(node.number, (CellUpdate) update, appliedMicros);
        disk.stamped(update, appliedMicros);
    }

    @Override
    public void retired(PartitionKey key, MutationId id) {
        MutationName name = new MutationName(key, id);
        disk.retired(name);
        node.store.sync(name);
        promises.retired(node.number, name);
    }

    @Override
    public void ceiling(long ceilingMicros) {
        disk.ceiling(ceilingMicros);
    }

    @Override
    public void table(TableState state) {
        disk.table(state);
        if (state.baseline()) {
            node.table().vouched(state.table(), state.sinceMicros());
        }
    }

    @Override
    public void tableDropped(UUID table) {
        disk.dropped(table);
    }

    @Override
    public void stale(NodeId peer, boolean stale) {
        disk.stale(peer, stale);
        if (stale) {
            promises.leftBehind(node.number, peer);
            node.leftBehindCount++;
        }
    }
}
