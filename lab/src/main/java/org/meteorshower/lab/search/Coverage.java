/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import java.util.Arrays;
import org.meteorshower.simulator.Probes;

/** How many runs had each feature. Two bytes a feature. Not thread-safe. */
final class Coverage {
    private final char[] hits = new char[1 << Probes.FEATURE_BITS];
    private int count;

    /** Adds a run. Returns its features that no run had before. */
    Features add(Features features) {
        int[] fresh = new int[features.count()];
        int found = 0;
        for (int i = 0; i < features.count(); i++) {
            int feature = features.at(i);
            if (hits[feature] == 0) {
                fresh[found++] = feature;
            }
            if (hits[feature] < Character.MAX_VALUE) {
                hits[feature]++;
            }
        }
        count += found;
        return new Features(Arrays.copyOf(fresh, found));
    }

    /** How many features some run had. */
    int count() {
        return count;
    }

    /** The sum of the features' rarity: one that one run had counts 1, one that n runs had 1/n. */
    double rarity(Features features) {
        double sum = 0;
        for (int i = 0; i < features.count(); i++) {
            sum += 1.0 / Math.max(1, hits[features.at(i)]);
        }
        return sum;
    }
}
