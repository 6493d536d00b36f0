/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * First addresses for the clusters of tests, somewhere in 127/8, so that clusters beside each other do not meet: never
 * the same twice in one process, and one of 32,000 in each. Thread-safe.
 */
public final class FreeAddress {
    private static final Random RANDOM = new Random();
    private static final Set<String> TAKEN = new HashSet<>();

    private FreeAddress() {}

    /** The first of 254. */
    public static synchronized String next() {
        while (true) {
            String address = "127." + (64 + RANDOM.nextInt(128)) + "." + RANDOM.nextInt(255) + ".1";
            if (TAKEN.add(address)) {
                return address;
            }
        }
    }
}
