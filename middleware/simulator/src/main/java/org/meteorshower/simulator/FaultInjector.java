/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Lets faults happen at drawn times, as many of each kind as planned, until everything heals. */
final class FaultInjector {
    /** So often a journal is full for a while, where plans are about size. */
    private static final int FULL_DISKS = 3;

    private final Scheduler scheduler;
    private final Chance random;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Network network;
    private final Outages outages;
    private final Scenarios scenarios;
    private final Repairs repairs;

    private boolean calmed;

    FaultInjector(
            Scheduler scheduler,
            SplittableRandom drawn,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Trace trace) {
        this.scheduler = scheduler;
        this.random = new Chance(drawn);
        this.plan = plan;
        this.nodes = nodes;
        this.network = network;
        this.outages = new Outages(scheduler, random, plan, nodes, network, trace);
        this.scenarios = new Scenarios(scheduler, random, plan, nodes, network, outages);
        this.repairs = new Repairs(scheduler, random, plan, nodes, network, outages);
    }

    Outages outages() {
        return outages;
    }

    /** When the minority went down, in true time; {@link Long#MAX_VALUE} while it is up. */
    long minorityDownSinceMicros() {
        return outages.minorityDownSinceMicros;
    }

    void plan() {
        SimulationPlan.Faults faults = plan.faults();
        for (Blow blow : Blow.values()) {
            repeat(blow.times(faults), what(blow));
        }
        for (Strike strike : plan.strikes()) {
            Runnable fault = what(Blow.named(strike.fault()));
            scheduler.after(strike.atMicros(), () -> {
                if (mayStrike()) {
                    random.begin(strike.number());
                    fault.run();
                }
            });
        }
        inTurn(faults.special().halfDeafRestarts(), 450_000, scenarios::restartHalfDeaf);
        inTurn(faults.special().clocksBehind(), Scenarios.CLOCK_BEHIND_MICROS, scenarios::letAClockFallBehind);
        inTurn(faults.special().longOutages(), Scenarios.LONG_OUTAGE_MICROS, scenarios::letAnOutageOutlastTheBudget);
        inTurn(faults.special().leftBehindByAll(), 10_000_000, scenarios::letAllLeaveOneBehind);
        if (plan.cluster().strictAtHome() && plan.seed() % 4 == 0) {
            inTurn(3, Scenarios.PROMISER_MICROS, scenarios::restartTheOnlyPromiser);
        }
        if (plan.hasSizes()) {
            repeat(FULL_DISKS, this::fillADisk);
        }
        if (faults.clockOffsetMicros() > 10_000) {
            repeat(3, () -> outages.any().jumpClock());
            repeat(2, () -> outages.any().freezeClock(random.nextLong(3_000_000)));
        }
        repairs.careForThoseLeftBehind();
    }

    private Runnable what(Blow blow) {
        return switch (blow) {
            case CRASH -> this::crashOne;
            case CUT -> this::cutSome;
            case FLAP -> this::flap;
            case PAUSE -> this::pauseOne;
            case REPAIR -> repairs::repairOne;
            case READ_REPAIR -> repairs::readRepair;
            case READER_CUT_OFF -> scenarios::cutOffAReaderWhileAHolderRestarts;
            case RESTART_BURST -> scenarios::restartInABurst;
            case REPAIR_CUT_SHORT -> scenarios::cutARepairShort;
            case LEFT_BEHIND_BY_ONE -> scenarios::letOneLeaveAnotherBehind;
        };
    }

    /**
     * How long the clients will be at work, roughly: about a round trip for a write, less for a read, and mostly what
     * they think. In half of the seeds that is left out, and faults come soon after each other at the run's beginning:
     * some mistakes show only so, others only where faults meet later changes of the ring.
     */
    static long expectedMicros(SimulationPlan plan) {
        boolean early = new SplittableRandom(plan.seed() ^ 0xa8).nextBoolean();
        SimulationPlan.Workload workload = plan.workload();
        double oneWays = 2 - 1.5 * workload.readShare();
        long thinkMicros = early ? 0 : plan.thinkMicros() / 2;
        long operationMicros =
                2_000 + thinkMicros + (long) (oneWays * plan.links().oneWayMicros());
        return operationMicros * workload.operations() / Math.max(1, workload.sessions());
    }

    /** Of a fault: mostly in proportion to the run, now and then as long as faults can be. */
    private long lastsMicros(int longest) {
        long most = random.nextInt(3) == 0 ? longest : Math.min(longest, expectedMicros(plan) / 3);
        return 10_000 + random.nextLong(Math.max(1, most));
    }

    /** Clients have begun so many operations. */
    void begun(int operations) {
        if (!calmed
                && plan.faults().minorityDown()
                && operations == plan.workload().operations() / 3) {
            outages.takeAMinorityDown();
        }
    }

    private void repeat(int times, Runnable fault) {
        for (int i = 0; i < times; i++) {
            scheduler.after(Blow.EARLIEST_MICROS + (long) (random.nextDouble() * expectedMicros(plan)), () -> {
                if (mayStrike()) {
                    fault.run();
                }
            });
        }
    }

    private boolean mayStrike() {
        return !calmed && scheduler.nowMicros() >= repairs.quietUntilMicros;
    }

    /** One after another, each when the one before is over and healed. */
    private void inTurn(int times, long apartMicros, Runnable fault) {
        if (times > 0) {
            scheduler.after(1_200_000 + random.nextLong(apartMicros / 4), () -> onceInTurn(times, apartMicros, fault));
        }
    }

    private void onceInTurn(int times, long apartMicros, Runnable fault) {
        if (!calmed && times > 0) {
            fault.run();
            scheduler.after(
                    apartMicros + random.nextLong(apartMicros / 2), () -> onceInTurn(times - 1, apartMicros, fault));
        }
    }

    /** Everything heals, and stays so. */
    void calm() {
        calmed = true;
        outages.note("all faults heal");
        network.heal();
        for (SimulatedNode node : nodes) {
            if (!node.isUp() && node.inService) {
                node.start();
            }
        }
    }

    private void crashOne() {
        SimulatedNode victim = outages.any();
        long downMicros = lastsMicros(4_000_000);
        if (random.nextInt(3) == 0 && victim.isUp()) {
            victim.crashWithinAStep(random.nextInt(4), () -> outages.restartLater(victim, downMicros));
        } else {
            outages.crash(victim, downMicros);
        }
    }

    private void cutSome() {
        int a = random.nextInt(nodes.size());
        int b = random.nextInt(nodes.size());
        boolean oneWay = random.nextBoolean();
        boolean whole = random.nextInt(3) == 0;
        List<Outages.Link> links = new ArrayList<>();
        for (int other = 0; other < nodes.size(); other++) {
            if (whole || other == b) {
                links.add(new Outages.Link(a, other));
                if (!oneWay) {
                    links.add(new Outages.Link(other, a));
                }
            }
        }
        outages.cut(links, lastsMicros(7_000_000));
    }

    private void flap() {
        List<Outages.Link> link = List.of(new Outages.Link(random.nextInt(nodes.size()), random.nextInt(nodes.size())));
        long atMicros = 0;
        for (int i = 0; i < 12; i++) {
            scheduler.after(atMicros, () -> outages.cut(link, 5_000 + random.nextInt(200_000)));
            atMicros += 5_000 + random.nextInt(400_000);
        }
    }

    private void fillADisk() {
        SimulatedNode node = outages.any();
        outages.note("n" + node.number + " has no room in its journal");
        node.fillDisk(lastsMicros(3_000_000));
    }

    private void pauseOne() {
        SimulatedNode node = outages.any();
        outages.note("n" + node.number + " stands still");
        node.pause(lastsMicros(10_000_000));
    }
}
