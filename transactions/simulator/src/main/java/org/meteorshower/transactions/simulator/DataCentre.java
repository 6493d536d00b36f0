/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Now;
import org.meteorshower.simulator.Scheduler;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Message;

/** A data centre: its disk, its clocks, and the processes that run, or believe they do, as its representative. */
final class DataCentre {
    static final long WALL_AT_START_MICROS = 1_700_000_000_000_000L;

    final int number;
    final Disk disk;

    /** What the plugin of its nodes knows. */
    Formats known;

    private final World world;
    private final SplittableRandom random;
    private final List<Representative> processes = new ArrayList<>();
    private final long elapsedAtStartMicros;
    private final double drift;

    /** How far the wall clock is off. */
    long clockOffMicros;

    long diskLosses;

    /** How many times longer the disk takes. */
    long diskSlowness = 1;

    DataCentre(int number, World world, SplittableRandom random) {
        this.number = number;
        this.world = world;
        this.random = random;
        this.disk = new Disk(number, world.plan.dcs());
        disk.tables.seed(Work.seeded(world.plan));
        disk.note(world.plan.format());
        this.known = world.plan.replacesPlugins() ? Upgrades.EARLIER : Formats.ALL;
        this.elapsedAtStartMicros = random.nextInt(1_000_000_000);
        this.drift = random.nextDouble() * 2e-5;
        this.clockOffMicros = random.nextLong(8_000) - 4_000;
    }

    Now now() {
        long micros = world.scheduler.nowMicros();
        long drifted = micros + (long) (micros * drift);
        return new Now(WALL_AT_START_MICROS + drifted + clockOffMicros, 1_000 * (elapsedAtStartMicros + drifted));
    }

    Scheduler scheduler() {
        return world.scheduler;
    }

    /** The youngest process; null while none is up. */
    @Nullable
    Representative current() {
        return processes.isEmpty() ? null : processes.get(processes.size() - 1);
    }

    boolean isUp() {
        Representative process = current();
        return process != null && !process.isPaused();
    }

    /** Starts a process: it writes the fence, and then reads what there is. */
    void start() {
        if (!known.know(disk.format())) {
            world.note("d" + number + " is not started: it uses format " + disk.format());
            return;
        } else if (!known.know(Formats.PROPOSES_FRONTS) && disk.hasFronts()) {
            world.verifier.broken("d" + number + " has entries in its log that its plugin cannot read");
        }
        long life = world.nextLife();
        disk.writeFence(life);
        world.scheduler.after(diskMicros(1), () -> {
            if (disk.fence() == life) {
                Representative process = new Representative(this, world, random.split(), disk.recover(life));
                processes.add(process);
                process.begin();
            }
        });
    }

    /** All processes die. */
    void kill() {
        processes.forEach(Representative::die);
        processes.clear();
        world.sever(number, other -> true, processes::isEmpty);
    }

    /** All processes die, and nothing of what they had written is left. */
    void loseDisk() {
        kill();
        diskLosses++;
        disk.lose();
        disk.tables.seed(Work.seeded(world.plan)); // what users had, another data centre's tables have too
    }

    void ended(Representative process) {
        processes.remove(process);
    }

    /** A message of a process of another data centre, or of this one; each process here has it to itself. */
    void deliver(int from, long life, Supplier<Message> arrives) {
        for (Representative process : List.copyOf(processes)) {
            Message message = arrives.get();
            FormatTalk formats = process.formats();
            if (formats == null || formats.takes(from, life, message)) {
                process.happens(new Event.Received(from, message));
            }
        }
    }

    /** Another data centre's process says which formats it knows and uses. */
    void hears(int from, long life, FormatUse use) {
        for (Representative process : processes) {
            FormatTalk formats = process.formats();
            if (formats != null) {
                formats.hears(from, life, use);
            }
        }
    }

    /** Every process that runs under this data centre's name hears it. */
    void deliver(Event event) {
        if (processes.size() == 1) {
            processes.get(0).happens(event);
            return;
        }
        for (Representative process : List.copyOf(processes)) {
            process.happens(event);
        }
    }

    long diskMicros(int mutations) {
        return diskMicros(mutations, random);
    }

    /** Many mutations share a wait for the disk, and each takes its time besides. */
    long diskMicros(int mutations, SplittableRandom drawnFrom) {
        long usual = world.plan.faults().diskMicros();
        long each = world.plan.faults().mutationMicros() * mutations;
        return diskSlowness * (usual / 2 + drawnFrom.nextLong(Math.max(1, usual)) + each);
    }
}
