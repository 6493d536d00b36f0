/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SequentialReads;

/**
 * Holds every node to what its records may take on the heap. Beside what is undecided, which no peer can be left behind
 * for, a node never keeps more than two and a half times its limit, or than it may while a peer is repaired; and more
 * than the limit only while it can be brought back under it: not because of a peer that is silent. Where nothing is in
 * flight, nothing is kept.
 */
final class BudgetWatch {
    private static final long LOOK_EVERY_MICROS = 50_000;

    /** A peer counts as silent after 3 s, and is looked for once a second. */
    private static final long SILENT_MICROS = 3_500_000;

    private static final long OVER_FOR_MICROS = 4_000_000;

    /** The last mutation that was let in. */
    private static final long ONE_MORE_BYTES = 600_000;

    private final Scheduler scheduler;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Promises promises;

    /** By node, since when it has been over its limit for a silent peer, and in which life; 0 where it is not. */
    private final long[] overSinceMicros;

    private final int[] lives;

    BudgetWatch(Scheduler scheduler, SimulationPlan plan, List<SimulatedNode> nodes, Promises promises) {
        this.scheduler = scheduler;
        this.plan = plan;
        this.nodes = nodes;
        this.promises = promises;
        this.overSinceMicros = new long[plan.nodes()];
        this.lives = new int[plan.nodes()];
    }

    void watch() {
        scheduler.after(LOOK_EVERY_MICROS, () -> {
            nodes.forEach(this::look);
            watch();
        });
    }

    private void look(SimulatedNode node) {
        SequentialReads core = node.core();
        if (core == null || !node.isRunning()) {
            overSinceMicros[node.number] = 0;
            return;
        }
        long limit = plan.settings().recordsBytes();
        long decided = core.view().memoryUse().records() - core.view().undecidedBytes();
        long most = Math.max(2 * limit + limit / 2, core.view().recordsLimitBytes()) + ONE_MORE_BYTES;
        if (decided > most) {
            promises.broken(
                    "n" + node.number + " keeps " + decided + " bytes of records that are decided, and may keep "
                            + limit + " and for a while two and a half times that");
        }
        lookForHow(node, core, decided > core.view().recordsLimitBytes() && keepsForASilentPeer(core));
    }

    private void lookForHow(SimulatedNode node, SequentialReads core, boolean over) {
        int number = node.number;
        if (!over || lives[number] != node.life() || overSinceMicros[number] == 0) {
            overSinceMicros[number] = over ? scheduler.nowMicros() : 0;
            lives[number] = node.life();
        } else if (scheduler.nowMicros() - overSinceMicros[number] > OVER_FOR_MICROS) {
            promises.broken("n" + number + " keeps " + core.view().memoryUse().records()
                    + " bytes of records, over its limit of " + plan.settings().recordsBytes()
                    + ", for a peer that is silent, and does not leave it behind");
        }
    }

    private static boolean keepsForASilentPeer(SequentialReads core) {
        for (NodeId peer : core.view().peers()) {
            if (core.view().silentForMicros(peer) > SILENT_MICROS
                    && !core.view().leftBehind().contains(peer)) {
                return true;
            }
        }
        return false;
    }

    /** At the end. */
    void lookForWhatWasNotReleased() {
        for (SimulatedNode node : nodes) {
            SequentialReads core = node.core();
            if (core != null
                    && core.view().recordCount() == 0
                    && core.view().memoryUse().records() != 0) {
                promises.broken("n" + node.number + " keeps no record, and counts "
                        + core.view().memoryUse().records() + " bytes of them");
            }
        }
    }
}
