/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

/** What the process's exit code says. */
final class ExitCodes {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int NO_CLUSTER = 3;

    static final String TEXT =
            "%nExit codes: 0 done; 1 it failed, the message says why; 2 wrong arguments;" + " 3 there is no cluster.%n";

    private ExitCodes() {}
}
