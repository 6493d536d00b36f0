/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.simulator.Strike;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Settings;

/**
 * What one run does. Everything that is not fixed here is drawn from the seed.
 *
 * @param delaysMicros one way, from data centre to data centre
 * @param links jitter, tails, loss and duplication; its delays are not looked at
 * @param strikes faults that are listed instead of drawn: each is called as a {@link Fault}, or as a part of a
 *     {@code Combination}, which strikes the data centre that its number gives
 */
public record Plan(
        long seed,
        List<List<Long>> delaysMicros,
        SimulationPlan.Links links,
        Work work,
        Load load,
        Faults faults,
        Settings settings,
        List<Strike> strikes) {
    Plan(
            long seed,
            List<List<Long>> delaysMicros,
            SimulationPlan.Links links,
            Work work,
            Load load,
            Faults faults,
            Settings settings) {
        this(seed, delaysMicros, links, work, load, faults, settings, List.of());
    }

    /** The same with the faults that may come at any moment as strikes, at other moments than a run of this one has. */
    public Plan withStrikes() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x57a1e);
        List<Strike> listed = new ArrayList<>();
        Map<Fault, Integer> left = new EnumMap<>(Fault.class);
        faults.times.forEach((fault, times) -> {
            for (int i = 0; i < times && fault.mayStrike(); i++) {
                long atMicros = FaultInjector.EARLIEST_MICROS + random.nextLong(work.lastsMicros);
                listed.add(new Strike(fault.word(), atMicros, random.nextLong(1_000_000)));
            }
            if (!fault.mayStrike()) {
                left.put(fault, times);
            }
        });
        Faults others = new Faults(left, faults.downMicros, faults.diskMicros, faults.mutationMicros);
        if (left.remove(Fault.COMBINATION) != null) {
            listed.addAll(Combination.of(seed).strikes());
        }
        return new Plan(seed, delaysMicros, links, work, load, others, settings, List.copyOf(listed));
    }

    /** The faults of combinations, of which a plan may list each by its name. */
    public static List<String> parts() {
        return Arrays.stream(Combination.What.values())
                .map(Combination.What::word)
                .toList();
    }

    /** Which format all data centres use from the beginning on; see {@link Formats}. */
    public int format() {
        return replacesPlugins() || seed % 2 != 0 ? Formats.PROPOSES_ENDS : Formats.PROPOSES_FRONTS;
    }

    /** Whether data centres get another plugin meanwhile, and go on to other formats. */
    public boolean replacesPlugins() {
        return faults.times(Fault.UPGRADES) > 0;
    }

    public int dcs() {
        return delaysMicros.size();
    }

    /**
     * @param clientsPerDc each with one operation at a time
     * @param thinkMicros the mean pause between two operations
     * @param lastsMicros for how long clients begin operations; faults happen in this time
     * @param lists rows that are appended to at a time
     * @param accounts between which money is moved
     * @param hot the share of operations that append to one row that all share
     * @param deadlineMicros after which an operation is given up
     * @param ranges the share of operations on ranges of rows
     * @param computed the share, of these, of those whose keys and bounds are computed from rows
     * @param scans the share of scans of users' tables
     * @param ends the share of operations on rows of which something ends
     */
    public record Work(
            int clientsPerDc,
            long thinkMicros,
            long lastsMicros,
            int lists,
            int accounts,
            double hot,
            long deadlineMicros,
            double ranges,
            double computed,
            double scans,
            double ends) {
        Work(
                int clientsPerDc,
                long thinkMicros,
                long lastsMicros,
                int lists,
                int accounts,
                double hot,
                long deadlineMicros) {
            this(clientsPerDc, thinkMicros, lastsMicros, lists, accounts, hot, deadlineMicros, 0, 0, 0, 0);
        }

        /** The same with so large a part of its operations being scans. */
        Work withScans(double part) {
            return with(part, ends);
        }

        /** The same with so large a part of its operations on rows of which something ends. */
        Work withEnds(double part) {
            return with(scans, part);
        }

        private Work with(double scansPart, double endsPart) {
            return new Work(
                    clientsPerDc,
                    thinkMicros,
                    lastsMicros,
                    lists,
                    accounts,
                    hot,
                    deadlineMicros,
                    ranges,
                    computed,
                    scansPart,
                    endsPart);
        }
    }

    /**
     * What is loaded besides.
     *
     * @param clientsPerDc each with one transaction at a time
     * @param thinkMicros the mean pause between two of them
     * @param mostRows that a transaction writes, under new names
     * @param mostBytes of a row
     * @param seeded rows that are there before any transaction, and are counted in
     * @param deletes of so many of a hundred of them rows are deleted, or written again
     * @param touches of so many of a hundred of the others a small column of many rows is set
     */
    public record Load(
            int clientsPerDc, long thinkMicros, int mostRows, int mostBytes, int seeded, int deletes, int touches) {
        static final Load NONE = new Load(0, 0, 0, 0, 0, 0, 0);

        /** The same where rows are deleted so often. */
        Load withDeletes(int often) {
            return new Load(clientsPerDc, thinkMicros, mostRows, mostBytes, seeded, often, touches);
        }

        /** The same with rows so large, and touched so often. */
        Load withLargeRows(int bytes, int often) {
            return new Load(clientsPerDc, thinkMicros, mostRows, bytes, seeded, deletes, often);
        }

        /** About what a transaction takes at most, in bytes. */
        long largest() {
            return (long) mostRows * mostBytes;
        }
    }

    /** What goes wrong. */
    public enum Fault {
        /** A process dies, with what it had not made durable, and another one starts. */
        KILL,
        /** Two data centres' processes at one moment. */
        DOUBLE_KILL,
        /** All die at one moment, after their disks have been slow for a while. */
        OUTAGE,
        /** Of links, one way or both, or of a data centre from all. */
        CUT,
        /** A process stands still. */
        PAUSE,
        /** A process stands still just long enough to be taken for dead. */
        SHORT_PAUSE,
        /** A process stands still, another one takes its place, and then it goes on. */
        ZOMBIE,
        /** A process is told to end, does so when it has answered or after a while, and another one takes its place. */
        HANDOVER,
        /** By up to 10 minutes, back later or not. */
        CLOCK_JUMP,
        /** For some seconds. */
        SLOW_DISK,
        /** One data centre's only. */
        LOST_DISK,
        /** A process dies while only some have heard what it proposed, and is back at once, with the others. */
        QUICK_RESTART,
        /** A disk is lost, and one who knew what it had accepted dies. */
        DISK_AND_DEATH,
        /** Tables take over what is newer in another data centre's. */
        REPAIR,
        /**
         * All that a data centre sends, or is sent, or both, takes longer, steadily or as it comes. For some seconds.
         */
        UNSTEADY,
        /** A process stands still for 50 to 500 ms. */
        BRIEF_PAUSE,
        /** All that a data centre sends and is sent takes 500 ms longer, for some seconds. */
        SLOW_WAYS,
        /** Of all that a data centre sends and is sent one in twenty is lost, for some seconds. */
        LOSSY_WAYS,
        /** While one is down the clocks of all others are set far ahead, and back. */
        CLOCKS_OF_OTHERS,
        /** An owner is back after logs were truncated without it, and leads before it knows that. Among three, once. */
        RETURN_BELOW_FLOOR,
        /** Of a leader that is idle meanwhile. Among five, once. */
        DEPOSITION,
        /** All data centres get a newer plugin, and some the earlier one back meanwhile. Once. */
        UPGRADES,
        /** Two or three of the others among three, counted through: the {@link Combination} of the seed. Once. */
        COMBINATION;

        /** Whether it may come at any moment, and more than once. */
        boolean mayStrike() {
            return this != RETURN_BELOW_FLOOR && this != DEPOSITION && this != COMBINATION && this != UPGRADES;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** @throws IllegalArgumentException if none of this name may strike at any moment; the message lists them */
        static Fault named(String word) {
            List<String> words = new ArrayList<>();
            for (Fault fault : values()) {
                if (fault.mayStrike() && fault.word().equals(word)) {
                    return fault;
                } else if (fault.mayStrike()) {
                    words.add(fault.word());
                }
            }
            throw new IllegalArgumentException("no fault is called " + word + "; there are " + String.join(", ", words)
                    + ", and the parts of combinations");
        }
    }

    /**
     * How often each happens in a run.
     *
     * @param downMicros the least time that a killed process is down
     * @param diskMicros the usual time of a durable write
     * @param mutationMicros what each row of one takes besides
     */
    public record Faults(Map<Fault, Integer> times, long downMicros, long diskMicros, long mutationMicros) {
        static Faults none(long diskMicros) {
            return new Faults(Map.of(), 1_000, diskMicros, 0);
        }

        int times(Fault fault) {
            return times.getOrDefault(fault, 0);
        }

        Faults and(Fault fault, int often) {
            Map<Fault, Integer> more = new EnumMap<>(Fault.class);
            more.putAll(times);
            more.put(fault, often);
            return new Faults(more, downMicros, diskMicros, mutationMicros);
        }

        Faults downAtLeast(long micros) {
            return new Faults(times, micros, diskMicros, mutationMicros);
        }

        Faults each(long micros) {
            return new Faults(times, downMicros, diskMicros, micros);
        }
    }
}
