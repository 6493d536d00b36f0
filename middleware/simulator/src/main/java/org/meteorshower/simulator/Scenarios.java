/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.protocol.Event;
import org.meteorshower.simulator.Outages.Link;

/** Faults that must come together to show some mistakes: too rare to wait for. Times in them are drawn. */
final class Scenarios {
    /** The longest that a clock is behind. */
    static final long CLOCK_BEHIND_MICROS = 800_000;

    /** The longest that a node is away, and is repaired after. */
    static final long LONG_OUTAGE_MICROS = 16_000_000;

    /** The longest that a holder hears one promiser, and then nobody. */
    static final long PROMISER_MICROS = 2_000_000;

    private final Scheduler scheduler;
    private final Chance random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Outages outages;

    Scenarios(
            Scheduler scheduler,
            Chance random,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Outages outages) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
        this.outages = outages;
    }

    void cutOffAReaderWhileAHolderRestarts() {
        int reader = random.nextInt(nodes.size());
        int holder = (reader + 1 + random.nextInt(Math.max(1, nodes.size() - 1))) % nodes.size();
        outages.note("n" + reader + " is cut off, and n" + holder + " is about to restart");
        outages.cutOff(reader);
        long writesGoOnMicros = 100_000L + random.nextInt(400_000);
        long downMicros = 20_000L + random.nextInt(200_000);
        scheduler.after(writesGoOnMicros, () -> outages.crash(nodes.get(holder), downMicros));
        scheduler.after(writesGoOnMicros + downMicros, () -> network.heal(reader, holder));
        scheduler.after(writesGoOnMicros + downMicros + 1_500_000, network::heal);
    }

    /** Dies again and again, each time before the answers to what the last life asked for can have come. */
    void restartInABurst() {
        SimulatedNode victim = outages.any();
        long atMicros = 0;
        for (int i = 0; i < 4; i++) {
            scheduler.after(atMicros, () -> outages.crash(victim, 2_000));
            atMicros += 5_000 + random.nextLong(2 * plan.links().oneWayMicros());
        }
    }

    /**
     * A holder hears one of the others only, so that the rest has promised it nothing any more; then that one restarts,
     * and the holder hears nobody.
     */
    void restartTheOnlyPromiser() {
        int holder = random.nextInt(nodes.size());
        int promiser = (holder + 1 + random.nextInt(nodes.size() - 1)) % nodes.size();
        List<Link> toTheRest = new ArrayList<>();
        for (int other = 0; other < nodes.size(); other++) {
            if (other != holder && other != promiser) {
                toTheRest.add(new Link(holder, other));
                toTheRest.add(new Link(other, holder));
            }
        }
        outages.note("n" + holder + " hears n" + promiser + " alone, which is about to restart");
        outages.cut(toTheRest, 1_600_000);
        scheduler.after(1_000_000, () -> {
            outages.cut(List.of(new Link(holder, promiser), new Link(promiser, holder)), 600_000);
            outages.crash(nodes.get(promiser), 5_000);
        });
    }

    /**
     * What was written at a node that is cut off comes to another one as a repair streams it, which dies right after.
     */
    void cutARepairShort() {
        SimulatedNode from = outages.any();
        SimulatedNode to = outages.any();
        if (from == to || network.isCut()) {
            return;
        }
        outages.note("n" + from.number + " is cut off, and a repair still brings n" + to.number + " what it holds");
        outages.cutOff(from.number);
        scheduler.after(100_000 + random.nextInt(200_000), () -> {
            if (from.isRunning() && to.isRunning()) {
                to.store.absorb(from.store);
                to.perform(new Event.ForeignData(SimulatedNode.TABLE));
                outages.crash(to, 20_000);
            }
        });
        scheduler.after(2_500_000, network::heal);
    }

    /** Two nodes do not hear each other until one leaves the other behind; then a third restarts, which hears both. */
    void letOneLeaveAnotherBehind() {
        int a = random.nextInt(nodes.size());
        int b = (a + 1) % nodes.size();
        int third = (a + 2) % nodes.size();
        if (network.isCut()) {
            return;
        }
        outages.cut(List.of(new Link(a, b), new Link(b, a)), 8_000_000);
        for (int i = 0; i < 3; i++) {
            scheduler.after(4_000_000 + i * 1_000_000L, () -> outages.crash(nodes.get(third), 20_000));
        }
    }

    /** A node restarts and hears one of the others only: what the other one has applied it cannot know. */
    void restartHalfDeaf() {
        int deaf = random.nextInt(nodes.size());
        int unheard = (deaf + 1 + random.nextInt(Math.max(1, nodes.size() - 1))) % nodes.size();
        outages.cut(List.of(new Link(unheard, deaf)), 350_000);
        scheduler.after(random.nextInt(20_000), () -> outages.crash(nodes.get(deaf), 5_000));
    }

    /**
     * A node is down, or cut off, for longer than the others can keep what it misses; one of them may restart
     * meanwhile.
     */
    void letAnOutageOutlastTheBudget() {
        int away = random.nextInt(nodes.size());
        int other = (away + 1 + random.nextInt(nodes.size() - 1)) % nodes.size();
        long micros = 5_000_000L + random.nextInt(6_000_000);
        if (random.nextBoolean()) {
            outages.crash(nodes.get(away), micros);
        } else {
            outages.note("n" + away + " is cut off for " + micros / 1_000 + " ms");
            outages.cutOff(away);
            scheduler.after(micros, () -> outages.reconnect(away));
        }
        if (random.nextBoolean()) {
            scheduler.after(random.nextLong(micros), () -> outages.crash(nodes.get(other), 20_000));
        }
    }

    /** A node that takes writes, and cannot tell the others of them, is cut off until these have left it behind. */
    void letAllLeaveOneBehind() {
        int alone = random.nextInt(nodes.size());
        outages.note("n" + alone + " is cut off until the others leave it behind");
        outages.cutOff(alone);
        scheduler.after(4_500_000 + random.nextInt(1_000_000), network::heal);
    }

    /** Its clock goes back, or stands still, by as much as the hybrid clocks hardly show; later it is right again. */
    void letAClockFallBehind() {
        SimulatedNode slow = outages.any();
        long micros = 5_000 + random.nextLong(2 * plan.links().oneWayMicros());
        if (random.nextInt(3) == 0) {
            outages.note("the clock of n" + slow.number + " stands still for " + micros + " us");
            slow.freezeClock(micros);
            return;
        }
        outages.note("the clock of n" + slow.number + " goes back by " + micros + " us");
        slow.setClockBack(micros);
        if (plan.settings().ceilingStepMicros() < micros && random.nextBoolean()) {
            outages.crash(
                    slow, 10_000 + random.nextLong(100_000)); // it comes back with that clock, and knows no other yet
        }
        scheduler.after(100_000 + random.nextLong(CLOCK_BEHIND_MICROS - 100_000), () -> {
            outages.note("the clock of n" + slow.number + " is right again");
            slow.setClockBack(-micros);
        });
    }
}
