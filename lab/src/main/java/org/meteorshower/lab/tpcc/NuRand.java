/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.random.RandomGenerator;

/**
 * Numbers of which some come up far oftener than others (clause 2.1.6). Immutable.
 *
 * @param a 2^k - 1: the larger, the less even
 * @param c 0..a, the same for all that draw from one database
 * @param least the least number
 * @param most the largest number
 */
public record NuRand(int a, int c, int least, int most) {
    private static final int A_OF_NAMES = 255;
    private static final int A_OF_CUSTOMERS = 1_023;
    private static final int A_OF_ITEMS = 8_191;

    // Clause 2.1.6.1: how far the constant of a run is from that of the load.
    private static final int LEAST_APART = 65;
    private static final int MOST_APART = 119;
    private static final int NOT_APART = 96;
    private static final int NOR_APART = 112;

    /** One number. */
    public int draw(RandomGenerator random) {
        int one = random.nextInt(a + 1);
        int other = random.nextInt(least, most + 1);
        return ((one | other) + c) % (most - least + 1) + least;
    }

    /** For customers' numbers. */
    static NuRand customers(TpccScale scale, RandomGenerator random) {
        int a = scaled(A_OF_CUSTOMERS, scale.customers(), TpccScale.STANDARD.customers());
        return new NuRand(a, random.nextInt(a + 1), 1, scale.customers());
    }

    /** For items. */
    static NuRand items(TpccScale scale, RandomGenerator random) {
        int a = scaled(A_OF_ITEMS, scale.items(), TpccScale.STANDARD.items());
        return new NuRand(a, random.nextInt(a + 1), 1, scale.items());
    }

    /** For the numbers of last names that are loaded. */
    static NuRand names(TpccScale scale, RandomGenerator random) {
        int a = scaled(A_OF_NAMES, scale.names(), LastNames.COUNT);
        return new NuRand(a, random.nextInt(a + 1), 0, scale.names() - 1);
    }

    /** For the numbers of last names that are asked for, where these were loaded. */
    static NuRand namesAsked(NuRand loaded, RandomGenerator random) {
        int drawn = random.nextInt(loaded.a + 1);
        while (loaded.a == A_OF_NAMES && !isFarEnough(Math.abs(drawn - loaded.c))) {
            drawn = random.nextInt(loaded.a + 1);
        }
        return new NuRand(loaded.a, drawn, loaded.least, loaded.most);
    }

    static boolean isFarEnough(int apart) {
        return apart >= LEAST_APART && apart <= MOST_APART && apart != NOT_APART && apart != NOR_APART;
    }

    /** Where there are fewer of something than in the standard, they are as uneven. */
    private static int scaled(int a, int count, int standard) {
        long wanted = Math.max(1, (long) (a + 1) * count / standard);
        return (int) Math.max(1, Long.highestOneBit(wanted) - 1);
    }
}
