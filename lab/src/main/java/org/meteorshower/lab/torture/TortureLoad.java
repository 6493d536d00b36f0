/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

/**
 * How many clients there are, and how much they do. Immutable, checked when made.
 *
 * @param seed decides what each asks for
 * @param clients how many, over all data centres
 * @param rows that they work on
 * @param rate operations or transactions a second at most, in all
 */
public record TortureLoad(long seed, int clients, int rows, double rate) {
    public TortureLoad {
        require(rate >= 1 && rate <= 1e6, "--rate must be 1 to 1000000, not " + rate);
    }
}
