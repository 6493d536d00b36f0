/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.meteorshower.checker.Model;
import org.meteorshower.client.ReadMode;

/**
 * What to do to whom while sessions read and write. Immutable, checked when made.
 *
 * @param readShare share of reads, 0..1
 * @param strictAtHome whether the table has {@code strict=home}, and the sessions read in mode strict
 * @param watched whether stock clients work beside the sessions, and whom each fault refused is told
 */
record ReadTortureOptions(
        TortureOptions shared, TortureLoad load, double readShare, boolean strictAtHome, boolean watched) {
    private static final Set<FaultKind> NOT_STRICT =
            EnumSet.of(FaultKind.DISABLE, FaultKind.WITHOUT_PLUGIN, FaultKind.UPGRADE, FaultKind.ENABLE);

    ReadTortureOptions {
        require(load.clients() >= 1 && load.clients() <= 1_000, "--sessions must be 1 to 1000, not " + load.clients());
        require(load.rows() >= 1 && load.rows() <= 1_000_000, "--rows must be 1 to 1000000, not " + load.rows());
        require(readShare >= 0 && readShare <= 1, "--read-share must be 0 to 1, not " + readShare);
        require(
                shared.cluster().dcs().size() >= 3,
                "faults strike one data centre at a time and a majority must be left: at least three, not "
                        + shared.cluster().dcs().size());
    }

    /** Of these faults those under which more than sequential consistency can be promised. */
    static List<FaultKind> strict(List<FaultKind> faults) {
        return faults.stream().filter(each -> !NOT_STRICT.contains(each)).toList();
    }

    String tableOptions() {
        return strictAtHome ? "strict=home" : "";
    }

    ReadMode mode() {
        return strictAtHome ? ReadMode.STRICT : ReadMode.SEQUENTIAL;
    }

    /** What is promised. */
    Model model() {
        return strictAtHome ? Model.LINEARIZABLE : Model.SEQUENTIAL;
    }
}
