/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.meteorshower.protocol.Now;
import org.meteorshower.simulator.Scheduler;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.servers.Sequencer;
import org.meteorshower.transactions.storage.ExpiringRows;

/** Looks, where a sequencer is, for what has ended. It has no rows in memory, and a clock that is fast. */
final class SimulatedEnds implements ExpiringRows.Proposer {
    /** The clock by which values end goes as much faster, so that a run sees notes of them forgotten. */
    private static final long TIMES = 1_000;

    private static final long BEGIN_MILLIS = 1_000_000_000_000L;

    private final ServersWorld world;
    private final Turn turn = new Turn(new Members(0, 1));
    private final ExpiringRows expiring;

    private final Set<Request.ExpireRows> proposed = new LinkedHashSet<>();

    private final Sequencer sequencer;

    SimulatedEnds(ServersWorld world, Sequencer sequencer) {
        this.world = world;
        this.sequencer = sequencer;
        this.expiring = new ExpiringRows(
                turn,
                () -> OptionalLong.of(1_000 * millis(world.scheduler)),
                () -> CheckedTables.EDITION,
                new RowMemory(read -> {}, 1, 1L << 40, CheckedTables.EDITION, 0),
                this,
                world.division::rangeOf);
    }

    /** By which values end. */
    static long millis(Scheduler scheduler) {
        return BEGIN_MILLIS + TIMES * scheduler.nowMicros() / 1_000;
    }

    @Override
    public void propose(Request.ExpireRows request) {
        proposed.add(request);
    }

    @Override
    public boolean holds(Request.ExpireRows request) {
        return proposed.contains(request);
    }

    /** What is proposed and does not stand in the order yet. */
    Set<Request.ExpireRows> proposed() {
        return proposed;
    }

    void tick() {
        step(() -> expiring.tick(true, 0));
    }

    void executed(Request request) {
        step(() -> expiring.executed(request));
    }

    void endsFrom(long millis) {
        step(() -> expiring.endsFrom(millis));
    }

    private void step(Runnable what) {
        turn.begin(new Now(0, 1_000 * world.scheduler.nowMicros()));
        what.run();
        long done = sequencer.done();
        for (Effect effect : turn.end()) {
            if (effect instanceof Effect.ReadDue read) {
                world.scheduler.after(world.diskMicros(), () -> {
                    Event.DueRead told = world.tables.due(read, done);
                    world.scheduler.after(world.diskMicros(), () -> step(() -> expiring.dueRead(told, true, 0)));
                });
            } else if (effect instanceof Effect.ForgetDue forget) {
                world.scheduler.after(world.diskMicros(), () -> world.tables.forgetDue(forget.belowMillis(), done));
            }
        }
    }
}
