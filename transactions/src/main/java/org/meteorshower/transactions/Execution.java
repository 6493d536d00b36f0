/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.ChainServer;
import org.meteorshower.transactions.chains.ChangeStream;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.chains.SnapshotReads;
import org.meteorshower.transactions.clocks.EpochCloser;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.lanes.Backlog;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.LogReads;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.MergeOrder;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/**
 * Takes decided entries in their one order, from memory or from the log, and executes them, as far as there is room for
 * their rows. What does not fit waits where it is, on disk in the end.
 */
final class Execution {
    private final Turn turn;
    private final List<Lane> lanes;
    private final EpochCloser closer;
    private final List<Backlog> backlogs = new ArrayList<>();
    private final Bodies bodies;
    private final MergeOrder order;
    private final RowMemory memory;
    private final ChainServer chains;
    private final SnapshotReads reads;
    private final Audit audit;
    private final long mostUnderWay;
    private long executedMicros;

    Execution(
            Turn turn,
            Settings settings,
            List<Lane> lanes,
            Bodies bodies,
            EpochCloser closer,
            LogReads logReads,
            RowMemory memory,
            ChangeStream changes,
            Audit audit,
            Checkpoint start,
            ChainServer.Listener listener,
            @Nullable Observer observer) {
        this.turn = turn;
        this.lanes = lanes;
        this.bodies = bodies;
        this.closer = closer;
        this.memory = memory;
        this.audit = audit;
        this.mostUnderWay = settings.budget().laneBytes() / 8;
        for (Lane lane : lanes) {
            backlogs.add(new Backlog(
                    lane,
                    logReads,
                    mostUnderWay / lanes.size(),
                    start.positions().get(lane.number())));
        }
        this.order = new MergeOrder(start, this::decided);
        this.chains = new ChainServer(turn, memory, start, listener, changes, observer);
        this.reads = new SnapshotReads(turn, memory, settings.budget().readBytes());
    }

    private @Nullable Entry decided(int lane, long position) {
        return position < lanes.get(lane).log().start()
                ? backlogs.get(lane).decided(position)
                : lanes.get(lane).log().decided(position);
    }

    ChainServer chains() {
        return chains;
    }

    SnapshotReads reads() {
        return reads;
    }

    /** Begins to read the rows of what is on its way. */
    void prefetch(List<Submission> submissions) {
        for (Submission submission : submissions) {
            chains.prefetch(submission.read(bodies));
        }
    }

    /** Executes what has become the next in order, and lets go of the entries that were. */
    void advance() {
        long oldestRead = reads.oldest(Long.MAX_VALUE);
        count(oldestRead);
        while (chains.underWayBytes() < mostUnderWay && !chains.isFull()) {
            Merged next = order.next();
            if (next == null) {
                break;
            }
            closer.merged(next.epoch());
            chains.execute(next.entry().isFronted() ? executed(next) : next);
            count(oldestRead); // What the next one writes depends on what this one has left.
        }
        reads.advance(chains.count(), turn.micros() - executedMicros);
        chains.keepFrom(reads.oldest(chains.count()));
        for (Lane lane : lanes) {
            lane.letGo(order.position(lane.number()));
            backlogs.get(lane.number()).readOn(order.position(lane.number()));
        }
    }

    private Merged executed(Merged merged) {
        return new Merged(
                merged.number(), merged.lane(), merged.position(), merged.epoch(), bodies.executed(merged.entry()));
    }

    private void count(long oldestRead) {
        while (chains.advance().isPresent()) {
            executedMicros = turn.micros();
            audit.executed(chains.count(), chains.digest());
        }
        chains.keepFrom(Math.min(oldestRead, chains.count()));
    }

    /** The rows are not to be executed on. */
    void standStill() {
        reads.refuseLate(chains.count());
        for (Lane lane : lanes) {
            lane.letGo(order.position(lane.number()));
        }
    }

    /** Whether the log lacks an entry that is to be executed. */
    boolean isBroken() {
        return backlogs.stream().anyMatch(Backlog::isBroken);
    }

    /** About how many bytes of heap entries take here that are not in the lanes. */
    long backlogBytes() {
        return chains.underWayBytes()
                + backlogs.stream().mapToLong(Backlog::weight).sum();
    }

    /** A snapshot has brought everything before this. */
    void jump(Checkpoint to, int edition) {
        reads.beginAnew();
        memory.jump(edition, to.count());
        chains.jump(to);
        order.jump(to);
        for (int lane = 0; lane < lanes.size(); lane++) {
            backlogs.get(lane).jump(to.positions().get(lane));
        }
    }
}
