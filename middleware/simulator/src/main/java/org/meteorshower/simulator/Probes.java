/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What a run made the core do, as a set of features. Calls of this class are put into the core's classes while they are
 * loaded, by who searches; nobody else has any.
 *
 * <p>A feature is a block of the core's code that ran, or the set of blocks that one step ran: what the code tells
 * apart about a node's state and an event. One thread at a time; a search has this class once for each thread.
 */
public final class Probes {
    /** Blocks of code that can be numbered. */
    public static final int MOST_BLOCKS = 1 << 15;

    /** Features are numbers below two to this. Two may have one number. */
    public static final int FEATURE_BITS = 22;

    private static final long[] NAMES = new long[MOST_BLOCKS];

    private static final int[] LAST_STEP = new int[MOST_BLOCKS];
    private static final long[] SEEN = new long[1 << (FEATURE_BITS - 6)];
    private static int[] found = new int[1_024];
    private static int count;
    private static int step = 1;
    private static long path;

    private Probes() {}

    /**
     * Tells of a block that is being loaded.
     *
     * @param id 0 to MOST_BLOCKS - 1
     * @param name does not depend on the order in which classes are loaded, and looks random
     */
    public static void name(int id, long name) {
        NAMES[id] = name;
    }

    /** A step of a core begins. */
    public static void step() {
        if (path != 0) {
            add(path);
            path = 0;
        }
        step++;
    }

    /** A block of the core's code runs. */
    public static void block(int id) {
        if (LAST_STEP[id] != step) {
            LAST_STEP[id] = step;
            path += NAMES[id];
        }
    }

    private static void add(long name) {
        int feature = (int) ((name * 0x9E3779B97F4A7C15L) >>> (64 - FEATURE_BITS));
        long bit = 1L << feature;
        if ((SEEN[feature >> 6] & bit) == 0) {
            SEEN[feature >> 6] |= bit;
            if (count == found.length) {
                found = Arrays.copyOf(found, 2 * count);
            }
            found[count++] = feature;
        }
    }

    /** The names of the blocks that ran since the last call of {@link #take}. */
    public static long[] blocks() {
        return IntStream.range(0, MOST_BLOCKS)
                .filter(id -> LAST_STEP[id] != 0)
                .mapToLong(id -> NAMES[id])
                .toArray();
    }

    /** The features of the run since the last call, in no order, each once. */
    public static int[] take() {
        step();
        step = 1;
        for (int id = 0; id < MOST_BLOCKS; id++) {
            if (LAST_STEP[id] != 0) {
                LAST_STEP[id] = 0;
                add(31 * NAMES[id]);
            }
        }
        int[] features = Arrays.copyOf(found, count);
        for (int feature : features) {
            SEEN[feature >> 6] = 0;
        }
        count = 0;
        return features;
    }
}
