/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.meteorshower.lab.arguments.Arguments.require;

/**
 * What a bulk load loads, and how. Immutable, checked when made.
 *
 * @param megabytes in all, unless its time is over before
 * @param inFlight transactions under way
 * @param rowsEach rows of a transaction
 * @param bytesPerRow of the value
 * @param rate rows a second at most; 0: as many as go
 */
record BulkOptions(double megabytes, int inFlight, int rowsEach, int bytesPerRow, int rate) {
    BulkOptions {
        require(inFlight >= 1 && inFlight <= 1_000, "--in-flight must be 1 to 1000, not " + inFlight);
        require(rowsEach >= 1 && rowsEach <= 64, "--rows must be 1 to 64, not " + rowsEach);
        require(bytesPerRow >= 64 && bytesPerRow <= 100_000, "--bytes must be 64 to 100000, not " + bytesPerRow);
        require(rate >= 0, "--bulk-rate must not be negative");
    }

    /** In all. */
    long rows() {
        return (long) (megabytes * 1e6 / bytesPerRow);
    }
}
