/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import org.meteorshower.simulator.Chance;
import org.meteorshower.simulator.Strike;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.simulator.Plan.Fault;

/** Breaks things at drawn moments while clients work, and mends all of it in the end. */
final class FaultInjector {
    /** By then all lanes are led, and clients work. */
    static final long BEGIN_COMBINED_MICROS = 500_000;

    /** The earliest that something breaks: as long as runs take to begin. */
    static final long EARLIEST_MICROS = 1_500_000;

    private final World world;
    private final Chance random;
    private final Schedules schedules;
    private final Upgrades upgrades;

    /** One data centre's disk only may be lost: what a majority has lost is lost. */
    private DataCentre unlucky;

    private boolean calm;

    FaultInjector(World world, SplittableRandom drawn) {
        this.world = world;
        this.random = new Chance(drawn);
        this.schedules = new Schedules(world, this);
        this.upgrades = new Upgrades(world, this);
        this.unlucky = world.dcs.get(0);
    }

    void plan() {
        for (Fault fault : Fault.values()) {
            if (fault == Fault.LOST_DISK) {
                unlucky = any();
            }
            if (fault.mayStrike()) {
                repeat(fault);
            }
        }
        world.plan.strikes().forEach(this::plan);
        once(Fault.RETURN_BELOW_FLOOR, schedules::returnBelowFloor);
        once(Fault.DEPOSITION, schedules::deposeWhileIdle);
        once(Fault.UPGRADES, upgrades::plan);
        if (world.plan.faults().times(Fault.COMBINATION) > 0) {
            Combination combination = Combination.of(world.plan.seed());
            world.scheduler.after(BEGIN_COMBINED_MICROS, () -> combination.begin(world, this));
        }
    }

    private void repeat(Fault fault) {
        for (int i = 0; i < world.plan.faults().times(fault); i++) {
            unlessCalm(EARLIEST_MICROS + random.nextLong(world.plan.work().lastsMicros()), () -> strike(fault));
        }
    }

    private void plan(Strike strike) {
        Combination.What part = Combination.What.named(strike.fault());
        Fault fault = part == null ? Fault.named(strike.fault()) : Fault.COMBINATION;
        unlessCalm(strike.atMicros(), () -> {
            random.begin(strike.number());
            if (part == null) {
                strike(fault);
            } else {
                int dc = (int) Math.floorMod(strike.number(), (long) Combination.DATA_CENTRES);
                Combination.happens(part, part.losesADisk() ? unlucky : world.dcs.get(dc), this);
            }
        });
    }

    private void unlessCalm(long afterMicros, Runnable happens) {
        world.scheduler.after(afterMicros, () -> {
            if (!calm) {
                happens.run();
            }
        });
    }

    private void strike(Fault fault) {
        switch (fault) {
            case KILL -> kill(any(), world.plan.faults().downMicros() + lasts(4_000_000));
            case DOUBLE_KILL -> killTwo();
            case OUTAGE -> schedules.outage(lasts(1_000_000));
            case CUT -> cut();
            case PAUSE -> pause(any(), lasts(6_000_000));
            case SHORT_PAUSE -> pause(any(), 800_000 + lasts(700_000));
            case ZOMBIE -> zombie(any(), lasts(3_000_000));
            case HANDOVER -> handOver(any());
            case CLOCK_JUMP -> jumpClock();
            case SLOW_DISK -> slowDisk();
            case LOST_DISK -> loseDisk(unlucky);
            case QUICK_RESTART -> quickRestart();
            case DISK_AND_DEATH -> diskAndDeath(unlucky);
            case REPAIR -> repair();
            case UNSTEADY -> unsteady();
            case BRIEF_PAUSE -> pause(any(), 50_000 + random.nextInt(450_000));
            case SLOW_WAYS -> slowWays();
            case LOSSY_WAYS -> lossyWays();
            case CLOCKS_OF_OTHERS -> clocksOfOthers();
            default -> throw new IllegalStateException(fault + " has its own time");
        }
    }

    private void once(Fault fault, Runnable schedule) {
        if (world.plan.faults().times(fault) > 0) {
            world.scheduler.after(EARLIEST_MICROS, schedule);
        }
    }

    private DataCentre any() {
        return world.dcs.get(random.nextInt(world.dcs.size()));
    }

    /** Mostly short. */
    private long lasts(long mostMicros) {
        double share = random.nextDouble();
        return 1_000 + (long) (mostMicros * share * share);
    }

    void kill(DataCentre dc, long downMicros) {
        world.note("d" + dc.number + " dies for " + downMicros / 1_000 + " ms");
        dc.kill();
        world.scheduler.after(downMicros, () -> restart(dc));
    }

    private void restart(DataCentre dc) {
        if (dc.current() == null) {
            world.note("d" + dc.number + " starts");
            dc.start();
        }
    }

    private void killTwo() {
        DataCentre one = any();
        DataCentre other = any();
        kill(one, lasts(4_000_000));
        kill(other, lasts(4_000_000));
    }

    private void cut() {
        int a = any().number;
        int b = any().number;
        boolean whole = random.nextBoolean();
        boolean oneWay = random.nextInt(3) == 0;
        long micros = lasts(5_000_000);
        world.note("cut between d" + a + (whole ? " and all" : " and d" + b) + (oneWay ? " one way" : "") + " for "
                + micros / 1_000 + " ms");
        long endsMicros = world.scheduler.nowMicros() + micros;
        world.sever(a, other -> whole || other == b, () -> world.scheduler.nowMicros() < endsMicros);
        for (int other = 0; other < world.dcs.size(); other++) {
            if (other != a && (whole || other == b)) {
                cutFor(a, other, micros);
                if (!oneWay) {
                    cutFor(other, a, micros);
                }
            }
        }
    }

    void cutFor(int from, int to, long micros) {
        world.network.cut(from, to);
        world.scheduler.after(micros, () -> world.network.healOneWay(from, to));
    }

    void pause(DataCentre dc, long micros) {
        Representative process = dc.current();
        if (process != null && !process.isPaused()) {
            world.note("d" + dc.number + " stands still for " + micros / 1_000 + " ms");
            process.pause();
            world.scheduler.after(micros, process::resume);
        }
    }

    /** The store believes the process dead, and starts another one. It is not. */
    void zombie(DataCentre dc, long micros) {
        Representative process = dc.current();
        if (process != null && !process.isPaused()) {
            zombie(dc, process, random.nextLong(micros), micros);
        }
    }

    /** The same, with another process after {@code startMicros}. */
    void zombie(DataCentre dc, long startMicros, long micros) {
        Representative process = dc.current();
        if (process != null && !process.isPaused()) {
            zombie(dc, process, startMicros, micros);
        }
    }

    private void zombie(DataCentre dc, Representative process, long startMicros, long micros) {
        world.note(
                "d" + dc.number + " gets another process while the old one stands still for " + micros / 1_000 + " ms");
        process.pause();
        world.scheduler.after(startMicros, dc::start);
        world.scheduler.after(micros, process::resume);
    }

    /** Some are given time to finish what they have proposed, some are not. */
    private void handOver(DataCentre dc) {
        Representative process = dc.current();
        if (process != null && !process.isPaused()) {
            long patience = random.nextBoolean() ? lasts(800_000) : 1_000;
            world.note("d" + dc.number + " hands over within " + patience / 1_000 + " ms");
            process.happens(new Event.Retire());
            world.scheduler.after(patience, () -> {
                process.happens(new Event.End());
                dc.start();
            });
        }
    }

    private void jumpClock() {
        DataCentre dc = any();
        long by = (random.nextBoolean() ? 1 : -1) * lasts(600_000_000);
        world.note("the clock of d" + dc.number + " jumps by " + by / 1_000 + " ms");
        dc.clockOffMicros += by;
        if (random.nextBoolean()) {
            world.scheduler.after(lasts(6_000_000), () -> dc.clockOffMicros -= by);
        }
    }

    private void slowDisk() {
        DataCentre dc = any();
        long slowness = 5 + random.nextLong(200);
        slowDisk(dc, slowness, lasts(6_000_000));
    }

    void slowDisk(DataCentre dc, long slowness, long micros) {
        world.note("the disk of d" + dc.number + " is " + slowness + " times slower");
        dc.diskSlowness = slowness;
        world.scheduler.after(micros, () -> dc.diskSlowness = 1);
    }

    void loseDisk(DataCentre dc) {
        loseDisk(dc, lasts(3_000_000));
    }

    void loseDisk(DataCentre dc, long downMicros) {
        world.note("the disk of d" + dc.number + " is lost");
        dc.loseDisk();
        world.scheduler.after(downMicros, () -> restart(dc));
    }

    /**
     * A data centre whose disk is slow is heard by one half of the others only; it dies before anything is durable, is
     * back at once, and is then heard by the other half only.
     */
    private void quickRestart() {
        DataCentre dc = any();
        long before = 30_000 + random.nextLong(100_000);
        int firstHalf = random.nextInt(2);
        world.note("d" + dc.number + " restarts quickly");
        dc.diskSlowness = 300;
        halfOfOthers(dc.number, firstHalf, other -> cutFor(dc.number, other, before));
        world.scheduler.after(before, () -> {
            dc.diskSlowness = 1;
            kill(dc, 1_000);
            halfOfOthers(dc.number, 1 - firstHalf, other -> {
                cutFor(dc.number, other, 700_000);
                cutFor(other, dc.number, 700_000);
            });
        });
    }

    private void halfOfOthers(int dc, int half, IntConsumer each) {
        int place = 0;
        for (int other = 0; other < world.dcs.size(); other++) {
            if (other != dc && place++ % 2 == half) {
                each.accept(other);
            }
        }
    }

    /**
     * One half of the others hears nothing for a moment; then the disk is lost, and who did hear dies for some seconds.
     */
    private void diskAndDeath(DataCentre unlucky) {
        long before = 100_000 + random.nextLong(100_000);
        halfOfOthers(unlucky.number, 0, deaf -> {
            for (DataCentre other : world.dcs) {
                if (other.number != deaf) {
                    cutFor(other.number, deaf, before);
                    cutFor(deaf, other.number, before);
                }
            }
        });
        world.scheduler.after(before, () -> {
            world.note("the disk of d" + unlucky.number + " is lost, and others die");
            unlucky.loseDisk();
            unlucky.start();
            halfOfOthers(unlucky.number, 1, other -> kill(world.dcs.get(other), 3_000_000));
        });
    }

    private void clocksOfOthers() {
        DataCentre down = any();
        long by = 60_000_000 + random.nextLong(600_000_000);
        long micros = 1_500_000 + lasts(1_000_000);
        kill(down, micros + 200_000);
        world.note("meanwhile all other clocks are " + by / 1_000_000 + " s ahead for " + micros / 1_000 + " ms");
        List<DataCentre> others = world.dcs.stream().filter(dc -> dc != down).toList();
        others.forEach(dc -> dc.clockOffMicros += by);
        unlessCalm(micros, () -> others.forEach(dc -> dc.clockOffMicros -= by));
    }

    private void unsteady() {
        int dc = any().number;
        long most = 5_000 + lasts(800_000);
        long least = random.nextBoolean() ? most - 1 : random.nextInt(3) == 0 ? most / 2 : 0;
        int ways = random.nextInt(3);
        long micros = 300_000 + lasts(6_000_000);
        world.note("what d" + dc + (ways == 0 ? " sends" : ways == 1 ? " is sent" : " sends and is sent") + " takes "
                + least / 1_000 + " to " + most / 1_000 + " ms longer for " + micros / 1_000 + " ms");
        slow(dc, ways != 1, ways != 0, least, most);
        world.scheduler.after(micros, () -> slow(dc, ways != 1, ways != 0, 0, 0));
    }

    private void slowWays() {
        int dc = any().number;
        long micros = 300_000 + lasts(4_000_000);
        world.note("all ways to and from d" + dc + " are 500 ms slower for " + micros / 1_000 + " ms");
        slow(dc, true, true, 499_999, 500_000);
        world.scheduler.after(micros, () -> slow(dc, true, true, 0, 0));
    }

    private void lossyWays() {
        int dc = any().number;
        long micros = 300_000 + lasts(4_000_000);
        world.note("all ways to and from d" + dc + " lose one message in twenty for " + micros / 1_000 + " ms");
        lose(dc, 0.05);
        world.scheduler.after(micros, () -> lose(dc, 0));
    }

    /**
     * @param sends whether what it sends takes longer
     * @param isSent whether what it is sent does
     */
    void slow(int dc, boolean sends, boolean isSent, long leastMicros, long mostMicros) {
        for (int other = 0; other < world.dcs.size(); other++) {
            if (other != dc && sends) {
                world.network.slow(dc, other, leastMicros, mostMicros);
            }
            if (other != dc && isSent) {
                world.network.slow(other, dc, leastMicros, mostMicros);
            }
        }
    }

    /** All ways from and to the data centre lose so many of their messages; 0 for as before. */
    void lose(int dc, double share) {
        for (int other = 0; other < world.dcs.size(); other++) {
            if (other != dc) {
                world.network.lose(dc, other, share);
                world.network.lose(other, dc, share);
            }
        }
    }

    /** The store brings what is newer in one data centre's tables into another's, as far as it gets. */
    private void repair() {
        DataCentre from = any();
        DataCentre to = any();
        world.note("the store repairs tables of d" + to.number + " from those of d" + from.number);
        to.disk.tables.repairFrom(from.disk.tables, random::nextBoolean);
    }

    /** Everything is mended, and stays so. */
    void calm() {
        calm = true;
        world.note("all faults heal");
        world.network.heal();
        for (DataCentre dc : world.dcs) {
            dc.clockOffMicros = Math.max(-4_000, Math.min(4_000, dc.clockOffMicros));
            dc.diskSlowness = 1;
            restart(dc);
        }
        if (world.plan.replacesPlugins()) {
            upgrades.end();
        }
    }

    /** Whether nobody uses an earlier format any more, where plugins are replaced. */
    boolean areUpgraded() {
        return !world.plan.replacesPlugins() || upgrades.areDone();
    }
}
