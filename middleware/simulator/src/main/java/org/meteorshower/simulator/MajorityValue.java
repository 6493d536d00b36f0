/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What "a majority agrees on the value" (§4.2) is taken to mean, for three replicas. */
public enum MajorityValue {
    /** The largest version that a majority holds, or something larger. */
    LARGEST_AT_A_MAJORITY {
        @Override
        boolean isAgreed(long smaller, long larger) {
            return true;
        }
    },
    /** The very same version at a majority. */
    IDENTICAL_AT_A_MAJORITY {
        @Override
        boolean isAgreed(long smaller, long larger) {
            return smaller == larger;
        }
    };

    /** Whether two replicas that hold these two versions agree on the smaller one. */
    abstract boolean isAgreed(long smaller, long larger);

    /**
     * @param versions that the replicas with valid status hold
     * @return the newest version agreed on, or null where fewer than two are valid or no two agree
     */
    @Nullable
    Long among(long... versions) {
        long[] sorted = versions.clone();
        Arrays.sort(sorted);
        for (int i = sorted.length - 2; i >= 0; i--) {
            if (isAgreed(sorted[i], sorted[i + 1])) {
                return sorted[i];
            }
        }
        return null;
    }
}
