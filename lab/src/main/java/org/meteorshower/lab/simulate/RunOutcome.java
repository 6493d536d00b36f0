/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What became of one seed.
 *
 * @param operations that clients began and verifiers judged
 * @param foundBy the verifiers that found something, joined by "+"; empty where none did
 * @param complaint what is wrong, null where nothing is
 * @param isUndecided whether the checker of histories gave up within its limits; the other verifiers have judged
 * @param summary the run's figures in a line
 * @param seen what clients saw; null where the core gave up
 */
record RunOutcome(
        long operations,
        String foundBy,
        @Nullable String complaint,
        boolean isUndecided,
        String summary,
        @Nullable SeenByClients seen) {
    /** Writes what clients saw; does nothing where they saw nothing, or no file is given. */
    void writeSeen(@Nullable Path file) {
        if (file != null && seen != null) {
            seen.write(file);
        }
    }

    boolean isBad() {
        return complaint != null;
    }
}
