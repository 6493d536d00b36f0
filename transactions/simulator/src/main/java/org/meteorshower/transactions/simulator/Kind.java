/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.simulator.Plan.Fault;
import org.meteorshower.transactions.simulator.servers.ServersPlan;

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
    REPAIRS,
    /** All processes die at once, in the midst of writing. */
    OUTAGES,
    /** A leader is deposed while it is idle, and learns what was decided before it learns who leads. */
    DEPOSED,
    /** Processes hand over to others in good order, while others die. */
    HANDOVERS,
    /** Processes stand still, and lanes go back to their owners, while copies of messages are still on their way. */
    HAND_BACKS,
    /** Ways are slow for a while, steadily or as it comes, and clocks jump. */
    UNSTEADY,
    /**
     * Data centres stand still for moments, are far away or hard to hear for seconds, and are passed over, while
     * processes die, are replaced or lose their disks.
     */
    SLOW,
    /**
     * More is asked for than disks, memory or data centres bear, and what is written is kept small: budgets are in
     * kilobytes.
     */
    SIZE,
    /** The same, with rows that are large beside what memory holds, and small transactions on many of them. */
    LARGE_ROWS,
    /** As much is asked for, and users' tables are scanned meanwhile. */
    SCANS,
    /** Values end, are renewed, and are taken away, by clocks of which one may be wrong. */
    ENDS,
    /** Rows of partitions come and go while ranges of them are read, and memory holds few of them. */
    RANGES,
    /** The same, and keys and bounds follow from rows that are found. */
    COMPUTED,
    /** Each pair of faults at each of some distances in time, by the seed's number; then threes. */
    COMBINED,
    /**
     * Data centres get a newer plugin, and go on to its format; processes die, stand still, are replaced and cut off.
     */
    FORMATS,
    /** Chain servers of one data centre, with whatever may happen to them. This one, and those that follow. */
    CHAIN_SERVERS,
    /** Servers die while chains are between their passes. */
    SERVER_DIES_MID_CHAIN,
    /** Two servers die at one moment, or while ranges are being moved. */
    TWO_SERVERS_DIE,
    /** Nodes hear late of who serves which range; some pause, and go on after they were replaced. */
    SPLIT_ASSIGNMENT,
    /** Servers have little memory, and rows are large beside it. */
    SERVERS_WITH_LITTLE_MEMORY,
    /** Transactions of chain servers have ranges of rows, and keys that are computed, in one range or in several. */
    CHAIN_RANGES;

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
            REPAIRS,
            OUTAGES,
            DEPOSED,
            HANDOVERS,
            SIZE,
            SIZE);

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

    /** What a run of chain servers is about; null where a plan is of whole data centres. */
    ServersPlan.@Nullable About servers() {
        return switch (this) {
            case CHAIN_SERVERS -> ServersPlan.About.ANYTHING;
            case SERVER_DIES_MID_CHAIN -> ServersPlan.About.SERVER_DIES_MID_CHAIN;
            case TWO_SERVERS_DIE -> ServersPlan.About.TWO_SERVERS_DIE;
            case SPLIT_ASSIGNMENT -> ServersPlan.About.SPLIT_ASSIGNMENT;
            case SERVERS_WITH_LITTLE_MEMORY -> ServersPlan.About.LITTLE_MEMORY;
            case CHAIN_RANGES -> ServersPlan.About.RANGES;
            default -> null;
        };
    }

    /** Whether its plans are of the chain servers of one data centre, and have no {@link #plan}. */
    public boolean isOfServers() {
        return servers() != null;
    }

    /** @throws IllegalArgumentException if it {@linkplain #isOfServers() has none} */
    public Plan plan(long seed) {
        if (isOfServers()) {
            throw new IllegalArgumentException(word() + " is about the chain servers of one data centre: it has no plan"
                    + " of several, and cannot be searched");
        }
        return switch (this) {
            case COMBINED -> combined(seed);
            case SIZE -> SizePlans.of(seed);
            case LARGE_ROWS -> SizePlans.largeRows(seed);
            case SCANS -> SizePlans.scans(seed);
            case ENDS -> RangePlans.ends(seed);
            case RANGES -> RangePlans.of(seed);
            case COMPUTED -> RangePlans.computed(seed);
            default -> drawn(seed);
        };
    }

    /** The same small world, in which two or three things happen. */
    private static Plan combined(long seed) {
        Settings settings = new Settings(
                5_000,
                50_000,
                300_000,
                0,
                150_000,
                600_000,
                500_000,
                30_000,
                400,
                200,
                50,
                60_000,
                1_500_000,
                3_600_000_000L,
                5,
                0,
                Settings.DEFAULT.budget(),
                true);
        return new Plan(
                seed,
                asLists(new long[][] {{0, 10_000, 17_000}, {10_000, 0, 14_000}, {17_000, 14_000, 0}}),
                new SimulationPlan.Links(0, List.of(), 0, 0.05, 0, 0, 0),
                new Plan.Work(3, 15_000, 2_000_000, 3, 4, 0.3, 1_000_000),
                Plan.Load.NONE,
                Plan.Faults.none(2_000).and(Fault.COMBINATION, 1),
                settings);
    }

    private Plan drawn(long seed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + word().hashCode());
        int dcs = this == DEPOSED || (random.nextInt(4) == 0 && this != BELOW_FLOOR) ? 5 : 3;
        boolean clean = this == CALM;
        boolean sparse = !clean && random.nextInt(4) == 0;
        boolean reliable = clean || this == BELOW_FLOOR || this == DEPOSED;
        SimulationPlan.Links links = new SimulationPlan.Links(
                0,
                List.of(),
                0,
                clean ? 0 : random.nextDouble() * 0.3,
                this == HAND_BACKS ? 0.5 : reliable ? 0 : random.nextInt(3) * 0.005,
                reliable ? 0 : random.nextInt(3) * 0.005,
                reliable ? 0 : random.nextInt(3) * 0.005);
        long epochMicros = clean ? 5_000 : (dcs == 3 ? 5_000L : 10_000L) * (1 + random.nextInt(4));
        Settings settings = new Settings(
                epochMicros,
                50_000,
                300_000,
                0,
                150_000,
                600_000,
                500_000,
                30_000,
                400,
                200,
                50,
                checkpointMicros(random),
                deadMicros(random),
                random.nextInt(3) == 0 ? 2_000_000 : 3_600_000_000L,
                random.nextInt(2) == 0 ? 5 : 1_000,
                reliable ? 0 : sparse ? 30_000 : epochMicros % 10_000 == 0 ? 300_000 : 0,
                Settings.DEFAULT.budget(),
                seed % 3 != 0);
        Plan.Work work = new Plan.Work(
                sparse ? 1 + random.nextInt(2) : 4 + random.nextInt(7),
                clean ? 10_000 : sparse ? 50_000 + random.nextLong(200_000) : 3_000 + random.nextLong(60_000),
                clean ? 3_000_000 : this == FORMATS ? 9_000_000 : 6_000_000,
                2 + random.nextInt(6),
                3 + random.nextInt(4),
                random.nextDouble() * 0.5,
                700_000 + random.nextLong(2_000_000));
        List<List<Long>> delays =
                this == SLOW_LINKS ? Collections.nCopies(dcs, Collections.nCopies(dcs, 330_000L)) : delays(dcs, random);
        return new Plan(seed, delays, links, work, Plan.Load.NONE, faults(random), settings);
    }

    private long checkpointMicros(SplittableRandom random) {
        return switch (this) {
            case BELOW_FLOOR -> 60_000;
            case OUTAGES -> 100_000;
            default -> 100_000 + random.nextLong(900_000);
        };
    }

    /** How soon logs are truncated without who is not heard. */
    private long deadMicros(SplittableRandom random) {
        return switch (this) {
            case GONE_LONG, BELOW_FLOOR -> 1_500_000;
            case DEPOSED -> random.nextBoolean() ? 1_500_000 : 10_000_000;
            default -> 3_000_000;
        };
    }

    private Plan.Faults faults(SplittableRandom random) {
        Plan.Faults none = Plan.Faults.none(200 + random.nextLong(3_000));
        return switch (this) {
            case CALM, SLOW_LINKS -> none;
            case KILLS ->
                none.and(Fault.KILL, 5 + random.nextInt(6))
                        .and(Fault.DOUBLE_KILL, 2)
                        .and(Fault.SLOW_DISK, 1);
            case CUTS -> none.and(Fault.CUT, 4 + random.nextInt(8));
            case ZOMBIES ->
                none.and(Fault.KILL, 1)
                        .and(Fault.CUT, 1)
                        .and(Fault.PAUSE, 2)
                        .and(Fault.ZOMBIE, 6)
                        .and(Fault.SLOW_DISK, 1);
            case CLOCKS -> none.and(Fault.KILL, 1).and(Fault.PAUSE, 1).and(Fault.CLOCK_JUMP, 5);
            case LOST_DISKS ->
                none.and(Fault.KILL, 2).and(Fault.CUT, 1).and(Fault.PAUSE, 1).and(Fault.LOST_DISK, 3);
            case GONE_LONG ->
                none.and(Fault.KILL, 4).and(Fault.CUT, 3).and(Fault.PAUSE, 2).downAtLeast(2_500_000);
            case QUICK_RESTARTS -> none.and(Fault.QUICK_RESTART, 6);
            case DISK_AND_DEATH -> none.and(Fault.DISK_AND_DEATH, 1);
            case BELOW_FLOOR -> none.and(Fault.RETURN_BELOW_FLOOR, 1);
            case REPAIRS ->
                none.and(Fault.KILL, 2).and(Fault.CUT, 1).and(Fault.ZOMBIE, 1).and(Fault.REPAIR, 6);
            case OUTAGES -> none.and(Fault.OUTAGE, 2);
            case DEPOSED -> none.and(Fault.DEPOSITION, 1);
            case HAND_BACKS -> none.and(Fault.SHORT_PAUSE, 8);
            case UNSTEADY ->
                none.and(Fault.UNSTEADY, 4)
                        .and(Fault.CLOCKS_OF_OTHERS, random.nextInt(4) == 0 ? 1 : 0)
                        .and(Fault.CLOCK_JUMP, random.nextInt(2))
                        .and(Fault.KILL, random.nextInt(2))
                        .and(Fault.PAUSE, random.nextInt(2));
            case SLOW ->
                none.and(Fault.BRIEF_PAUSE, 6 + random.nextInt(8))
                        .and(Fault.SLOW_WAYS, random.nextInt(3))
                        .and(Fault.LOSSY_WAYS, random.nextInt(3))
                        .and(Fault.KILL, random.nextInt(3))
                        .and(Fault.ZOMBIE, random.nextInt(3))
                        .and(Fault.QUICK_RESTART, random.nextInt(2))
                        .and(Fault.SLOW_DISK, random.nextInt(2))
                        .and(Fault.LOST_DISK, random.nextInt(2));
            case FORMATS ->
                none.and(Fault.UPGRADES, 1)
                        .and(Fault.BRIEF_PAUSE, random.nextInt(8))
                        .and(Fault.KILL, random.nextInt(3))
                        .and(Fault.CUT, random.nextInt(2))
                        .and(Fault.ZOMBIE, random.nextInt(2))
                        .and(Fault.HANDOVER, random.nextInt(2))
                        .and(Fault.QUICK_RESTART, random.nextInt(2));
            case HANDOVERS ->
                none.and(Fault.HANDOVER, 8)
                        .and(Fault.KILL, 1)
                        .and(Fault.CUT, 1)
                        .and(Fault.PAUSE, 1)
                        .and(Fault.SLOW_DISK, 1);
            default ->
                none.and(Fault.KILL, random.nextInt(4))
                        .and(Fault.DOUBLE_KILL, random.nextInt(2))
                        .and(Fault.OUTAGE, random.nextInt(4) == 0 ? 1 : 0)
                        .and(Fault.CUT, random.nextInt(4))
                        .and(Fault.PAUSE, random.nextInt(3))
                        .and(Fault.ZOMBIE, random.nextInt(3))
                        .and(Fault.CLOCK_JUMP, random.nextInt(3))
                        .and(Fault.SLOW_DISK, random.nextInt(3))
                        .and(Fault.LOST_DISK, random.nextInt(2))
                        .and(Fault.QUICK_RESTART, random.nextInt(2))
                        .and(Fault.REPAIR, random.nextInt(2));
        };
    }

    private List<List<Long>> delays(int dcs, SplittableRandom random) {
        long about = 2_000 + random.nextLong(this == DEPOSED ? 15_000 : 80_000);
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
