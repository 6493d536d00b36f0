/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

/**
 * What to do to whom while sessions read and write. Immutable, checked when made.
 *
 * @param readShare share of reads, 0..1
 * @param watched whether stock clients work beside the sessions, and whom each fault refused is told
 */
record ReadTortureOptions(TortureOptions shared, TortureLoad load, double readShare, boolean watched) {
    ReadTortureOptions {
        require(load.clients() >= 1 && load.clients() <= 1_000, "--sessions must be 1 to 1000, not " + load.clients());
        require(load.rows() >= 1 && load.rows() <= 1_000_000, "--rows must be 1 to 1000000, not " + load.rows());
        require(readShare >= 0 && readShare <= 1, "--read-share must be 0 to 1, not " + readShare);
        require(
                shared.cluster().dcs().size() >= 3,
                "faults strike one data centre at a time and a majority must be left: at least three, not "
                        + shared.cluster().dcs().size());
    }
}
