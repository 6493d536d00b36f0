/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.transactions.servers.Packets;

/**
 * What one run is. Times are in microseconds.
 *
 * @param nodes that may serve ranges
 * @param entries in the merged order, one every {@code epochMicros}
 * @param perEntry submissions in an entry, at most
 * @param rows that there are
 * @param across the share of transactions over rows of any ranges; the others mostly keep to one; 0 where all do
 * @param before the share of rows that users had written before any transaction
 * @param deletes the share of transactions that delete a row
 * @param ends the share of those that put a value that ends
 * @param claims the share of transactions with ranges of rows, or computed keys; 0 where there are no partitions
 * @param bytes of what a row holds besides a number, at most
 * @param lost the share of messages that are
 * @param repeated the same
 * @param jitterMicros by which messages are late, at most
 * @param diskMicros that a read or a write of tables takes, at most
 * @param losersAreSlow whether the disk of a node that loses a range is slow then
 * @param budget bytes of heap of a range's server
 * @param mostRows that it keeps in memory although nobody needs them
 * @param window bytes of slices under way at a range
 * @param cutMicros between two cuts
 * @param newsMicros by which nodes hear late of a third of the assignments, at most
 * @param bad the share of submissions that are not what was said of them
 * @param packetBytes so many make a packet full; 1 where each message goes by itself
 */
public record ServersPlan(
        long seed,
        int nodes,
        int ranges,
        int entries,
        long epochMicros,
        int perEntry,
        int rows,
        double across,
        double before,
        double deletes,
        double ends,
        double claims,
        int bytes,
        double lost,
        double repeated,
        long jitterMicros,
        long diskMicros,
        boolean losersAreSlow,
        long budget,
        int mostRows,
        long window,
        long cutMicros,
        long newsMicros,
        double bad,
        int packetBytes,
        List<Fault> faults) {

    /** What happens in plans with ranges of rows, by the seed. */
    private static final List<About> LIKE = List.of(
            About.ANYTHING,
            About.SERVER_DIES_MID_CHAIN,
            About.TWO_SERVERS_DIE,
            About.SPLIT_ASSIGNMENT,
            About.LITTLE_MEMORY);

    /** What goes wrong with a node. */
    enum What {
        /** Dies with what it has in memory, and is back later. */
        DIES,
        /** Stands still. */
        PAUSES,
        /** One of its ranges is given to another node, while it is well. */
        LOSES_A_RANGE,
        /** Its disk takes twenty times as long. */
        HAS_A_SLOW_DISK,
        /** The sequencer dies, whichever node is named. */
        SEQUENCER_DIES,
        /** It stands still, another one takes its place, and then it goes on for a while, not knowing. */
        SEQUENCER_IS_REPLACED
    }

    record Fault(What what, int node, long atMicros, long forMicros) {}

    /** What a run is about. */
    public enum About {
        /** Everything, at random. */
        ANYTHING,
        /** Servers die while chains are between their passes. */
        SERVER_DIES_MID_CHAIN,
        /** Two servers die at one moment, or one while another one's ranges are being moved. */
        TWO_SERVERS_DIE,
        /** Nodes hear late of who serves which range, so that a range has two servers; some pause and go on after. */
        SPLIT_ASSIGNMENT,
        /** Rows are large, and budgets small. */
        LITTLE_MEMORY,
        /**
         * Transactions have ranges of rows, and computed keys; what happens is as with the others, one of them each.
         */
        RANGES
    }

    /** Three nodes, six ranges, transactions that keep to one range each; one node dies, and nothing else happens. */
    static ServersPlan oneDies(long seed) {
        return new ServersPlan(
                seed,
                3,
                6,
                400,
                5_000,
                6,
                60,
                0,
                0,
                0,
                0,
                0,
                20,
                0,
                0,
                500,
                2_000,
                false,
                16L << 20,
                1_000,
                1L << 20,
                100_000,
                5_000,
                0,
                Packets.FULL_BYTES,
                List.of(new Fault(What.DIES, 1, 1_000_000, 900_000)));
    }

    /** The plan of a seed. */
    public static ServersPlan of(About about, long seed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + about.name().hashCode());
        About like = about == About.RANGES ? LIKE.get(Math.floorMod(seed, LIKE.size())) : about;
        return of(like, about == About.RANGES, seed, random);
    }

    private static ServersPlan of(About about, boolean hasRanges, long seed, SplittableRandom random) {
        int nodes = 2 + random.nextInt(3);
        if (about == About.TWO_SERVERS_DIE) {
            nodes = 3 + random.nextInt(2);
        }
        boolean isTight = about == About.LITTLE_MEMORY
                || (about != About.TWO_SERVERS_DIE && random.nextInt(about == About.SPLIT_ASSIGNMENT ? 2 : 3) == 0);
        int entries = (hasRanges ? 50 : 150) + random.nextInt(hasRanges ? 150 : 250);
        long epochMicros = 2_000L + random.nextInt(8_000);
        long lastsMicros = epochMicros * entries;
        long least = about == About.ANYTHING || hasRanges ? 120_000L : 60_000L;
        long budget = isTight ? least + random.nextInt(200_000) : 16L << 20;
        List<Fault> faults = faults(about, random, nodes, lastsMicros);
        return new ServersPlan(
                seed,
                nodes,
                nodes + random.nextInt(3),
                entries,
                epochMicros,
                1 + random.nextInt(isTight && about != About.LITTLE_MEMORY ? 12 : 6),
                rows(about, random),
                about == About.LITTLE_MEMORY ? 0.5 + random.nextDouble() / 2 : random.nextDouble(),
                (about == About.LITTLE_MEMORY ? 1 + random.nextInt(2) : random.nextInt(3)) * 0.4,
                (about == About.SPLIT_ASSIGNMENT ? 1 + random.nextInt(2) : random.nextInt(4)) * 0.15,
                random.nextInt(4) * 0.1,
                hasRanges ? 0.2 + random.nextDouble() * 0.6 : 0,
                isTight ? 100 + random.nextInt((int) budget / 100) : 20,
                random.nextInt(4) * 0.03,
                random.nextInt(4) * 0.03,
                200 + random.nextInt(4_000),
                500 + random.nextInt(about != About.LITTLE_MEMORY ? 8_000 : hasRanges ? 12_000 : 30_000),
                about == About.SPLIT_ASSIGNMENT,
                budget,
                about == About.SPLIT_ASSIGNMENT || random.nextBoolean() ? 1 + random.nextInt(8) : 1_000,
                budget / (4 << random.nextInt(3)),
                about == About.LITTLE_MEMORY ? 300_000 + random.nextInt(700_000) : 15_000 + random.nextInt(150_000),
                1_200_000,
                random.nextInt(3) * 0.05,
                random.nextBoolean() ? 1 : 100 << random.nextInt(10),
                faults);
    }

    private static int rows(About about, SplittableRandom random) {
        return switch (about) {
            case SPLIT_ASSIGNMENT -> 20 + random.nextInt(100);
            case LITTLE_MEMORY -> 20 + random.nextInt(400);
            default -> 4 + random.nextInt(20);
        };
    }

    private static List<Fault> faults(About about, SplittableRandom random, int nodes, long lasts) {
        List<Fault> faults = new ArrayList<>();
        switch (about) {
            case SERVER_DIES_MID_CHAIN -> add(faults, random, nodes, lasts, 3, What.DIES);
            case TWO_SERVERS_DIE -> {
                for (int i = 0; i < 2; i++) {
                    long at = random.nextLong(lasts);
                    int first = random.nextInt(nodes);
                    int second = (first + 1 + random.nextInt(nodes - 1)) % nodes;
                    long apart = random.nextBoolean() ? 0 : random.nextLong(600_000);
                    faults.add(new Fault(What.DIES, first, at, 100_000 + random.nextLong(1_500_000)));
                    faults.add(new Fault(What.DIES, second, at + apart, 100_000 + random.nextLong(1_500_000)));
                }
            }
            case SPLIT_ASSIGNMENT -> {
                add(faults, random, nodes, lasts, 6, What.LOSES_A_RANGE);
                add(faults, random, nodes, lasts, 3, What.PAUSES);
                add(faults, random, nodes, lasts, 3, What.HAS_A_SLOW_DISK);
            }
            case LITTLE_MEMORY -> {
                add(faults, random, nodes, lasts, 3, What.DIES);
                add(faults, random, nodes, lasts, 1, What.HAS_A_SLOW_DISK);
            }
            default -> {
                add(faults, random, nodes, lasts, random.nextInt(3), What.DIES);
                add(faults, random, nodes, lasts, random.nextInt(3), What.PAUSES);
                add(faults, random, nodes, lasts, random.nextInt(3), What.LOSES_A_RANGE);
                add(faults, random, nodes, lasts, random.nextInt(2), What.HAS_A_SLOW_DISK);
                add(faults, random, nodes, lasts, random.nextInt(3), What.SEQUENCER_DIES);
                add(faults, random, nodes, lasts, random.nextInt(4), What.SEQUENCER_IS_REPLACED);
            }
        }
        return faults;
    }

    private static void add(List<Fault> faults, SplittableRandom random, int nodes, long lasts, int times, What what) {
        for (int i = 0; i < times; i++) {
            faults.add(new Fault(
                    what, random.nextInt(nodes), random.nextLong(lasts), 20_000 + random.nextLong(1_500_000)));
        }
    }
}
