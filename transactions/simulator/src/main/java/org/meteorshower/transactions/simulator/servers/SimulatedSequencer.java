/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.HashSet;
import java.util.Set;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.Sequencer;

/** A sequencer, what is wrong with what it tells, and who looks there for what ends. */
final class SimulatedSequencer implements Sequencer.Listener {
    private final ServersWorld world;
    private final long life;
    private final Sequencer sequencer;
    private final SimulatedEnds ends;
    private final Set<Long> told = new HashSet<>();

    SimulatedSequencer(ServersWorld world, long life, long done, long digest) {
        this.world = world;
        this.life = life;
        this.sequencer = new Sequencer(life, world.division, world::decided, this, done, digest, world.plan.window());
        this.ends = new SimulatedEnds(world, sequencer);
    }

    void tick() {
        sequencer.advance();
        sequencer.tick();
        ends.tick();
    }

    void cut() {
        sequencer.cut();
    }

    void received(ChainMessage message) {
        sequencer.received(message);
    }

    void isDurable(long count) {
        sequencer.isDurable(count);
    }

    long count() {
        return sequencer.count();
    }

    /** Ends that it has proposed, and that do not stand in the order yet. */
    Set<Request.ExpireRows> proposed() {
        return ends.proposed();
    }

    @Override
    public void send(ChainMessage message, int range) {
        world.send(message);
    }

    @Override
    public void ended(long count, int index, Outcome outcome) {
        Outcome must = world.serial.outcome(Version.of(count, index));
        if (!outcome.equals(must)) {
            world.broken(
                    "transaction " + count + "." + index + " has ended with " + outcome + ", and not with " + must);
        } else if (!told.add(Version.of(count, index))) {
            world.broken("the end of transaction " + count + "." + index + " was told twice");
        }
        ends.executed(world.request(count, index));
        world.ended(count, index);
    }

    @Override
    public void executed(long count, long digest) {
        if (digest != world.serial.digest(count)) {
            world.broken("the digest as of " + count + " is another one than that of serial execution");
        }
    }

    @Override
    public void makeDurable(long count, long digest) {
        world.scheduler.after(1_000 + world.diskMicros(), () -> world.makeDurable(life, count, digest));
    }

    @Override
    public void endsFrom(long millis) {
        ends.endsFrom(millis);
    }
}
