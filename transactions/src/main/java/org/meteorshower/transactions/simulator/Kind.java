/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.transactions.port.Settings;

/** Kinds of plans. A seed draws its kind, and the kind and the seed together fix the plan. */
public enum Kind {
    /** Everything. */
    RANDOM,
    /** Nothing happens; for latencies and messages. */
    CALM,
    /** Processes die and are back soon. */
    KILLS,
    /** Links fail. */
    CUTS,
    /** Processes stand still, some while others take their place. */
    ZOMBIES,
    /** Clocks jump. */
    CLOCKS,
    /** A data centre loses its disk. */
    LOST_DISKS,
    /** Data centres are away so long that logs are truncated without them. */
    GONE_LONG,
    /** Links so slow that the first time-out of phase 1 is too short. */
    SLOW_LINKS,
    /** A process dies while only some have heard what it proposed, and is back at once, with the others. */
    QUICK_RESTARTS,
    /** A disk is lost, and then one who knew what it had accepted dies. */
    DISK_AND_DEATH,
    /** An owner is back, after its lane was truncated without it, and leads before it hears how far the others are. */
    BELOW_FLOOR,
    /** Tables take over what is newer in another data centre's. */
    REPAIRS;

    private static final List<Kind> DRAWN = List.of(
            RANDOM,
            RANDOM,
            RANDOM,
            RANDOM,
            RANDOM,
            RANDOM,
            CALM,
            KILLS,
            KILLS,
            CUTS,
            CUTS,
            ZOMBIES,
            CLOCKS,
            LOST_DISKS,
            LOST_DISKS,
            GONE_LONG,
            SLOW_LINKS,
            QUICK_RESTARTS,
            DISK_AND_DEATH,
            BELOW_FLOOR,
            REPAIRS);

    public static Kind of(long seed) {
        return DRAWN.get(Math.floorMod(seed, DRAWN.size()));
    }

    /** @throws IllegalArgumentException if there is none of this name */
    public static Kind named(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of plan is called " + name + "; there are "
                        + Arrays.stream(values()).map(Kind::word).collect(Collectors.joining(", "))));
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public Plan plan(long seed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + word().hashCode());
        int dcs = random.nextInt(4) == 0 && this != BELOW_FLOOR ? 5 : 3;
        boolean clean = this == CALM;
        boolean reliable = clean || this == BELOW_FLOOR;
        SimulationPlan.Links links = new SimulationPlan.Links(
                0,
                List.of(),
                0,
                clean ? 0 : random.nextDouble() * 0.3,
                reliable ? 0 : random.nextInt(3) * 0.005,
                reliable ? 0 : random.nextInt(3) * 0.005,
                reliable ? 0 : random.nextInt(3) * 0.005);
        long epochMicros = clean ? 5_000 : (dcs == 3 ? 5_000L : 10_000L) * (1 + random.nextInt(4));
        Settings settings = new Settings(
                epochMicros,
                50_000,
                300_000,
                150_000,
                600_000,
                500_000,
                30_000,
                400,
                200,
                50,
                this == BELOW_FLOOR ? 60_000 : 100_000 + random.nextLong(900_000),
                this == GONE_LONG || this == BELOW_FLOOR ? 1_500_000 : 3_000_000,
                random.nextInt(3) == 0 ? 2_000_000 : 3_600_000_000L,
                random.nextInt(2) == 0 ? 5 : 1_000);
        Plan.Work work = new Plan.Work(
                4 + random.nextInt(7),
                clean ? 10_000 : 3_000 + random.nextLong(60_000),
                clean ? 3_000_000 : 6_000_000,
                2 + random.nextInt(6),
                3 + random.nextInt(4),
                random.nextDouble() * 0.5,
                700_000 + random.nextLong(2_000_000));
        List<List<Long>> delays =
                this == SLOW_LINKS ? Collections.nCopies(dcs, Collections.nCopies(dcs, 330_000L)) : delays(dcs, random);
        return new Plan(seed, delays, links, work, faults(random), settings);
    }

    private Plan.Faults faults(SplittableRandom random) {
        long disk = 200 + random.nextLong(3_000);
        return switch (this) {
            case CALM, SLOW_LINKS -> Plan.Faults.none();
            case KILLS -> new Plan.Faults(5 + random.nextInt(6), 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1_000, disk);
            case CUTS -> new Plan.Faults(0, 0, 4 + random.nextInt(8), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000, disk);
            case ZOMBIES -> new Plan.Faults(1, 0, 1, 2, 6, 0, 1, 0, 0, 0, 0, 0, 1_000, disk);
            case CLOCKS -> new Plan.Faults(1, 0, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 1_000, disk);
            case LOST_DISKS -> new Plan.Faults(2, 0, 1, 1, 0, 0, 0, 3, 0, 0, 0, 0, 1_000, disk);
            case GONE_LONG -> new Plan.Faults(4, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2_500_000, disk);
            case QUICK_RESTARTS -> new Plan.Faults(0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1_000, disk);
            case REPAIRS -> new Plan.Faults(2, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 6, 1_000, disk);
            case BELOW_FLOOR -> new Plan.Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1_000, disk);
            case DISK_AND_DEATH -> new Plan.Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1_000, disk);
            default ->
                new Plan.Faults(
                        random.nextInt(4),
                        random.nextInt(2),
                        random.nextInt(4),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(2),
                        random.nextInt(2),
                        0,
                        0,
                        random.nextInt(2),
                        1_000,
                        disk);
        };
    }

    private static List<List<Long>> delays(int dcs, SplittableRandom random) {
        long about = 2_000 + random.nextLong(80_000);
        long[][] delays = new long[dcs][dcs];
        for (int a = 0; a < dcs; a++) {
            for (int b = 0; b < a; b++) {
                delays[a][b] = about / 2 + random.nextLong(about);
                delays[b][a] = (long) (delays[a][b] * (0.8 + 0.4 * random.nextDouble()));
            }
        }
        return asLists(delays);
    }

    static List<List<Long>> asLists(long[][] delays) {
        List<List<Long>> lists = new ArrayList<>();
        for (long[] row : delays) {
            lists.add(Arrays.stream(row).boxed().toList());
        }
        return Collections.unmodifiableList(lists);
    }
}
