/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

/** What the process's exit code says: first of commands that do something, then of those that judge what they saw. */
public final class ExitCodes {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int NO_CLUSTER = 3;

    public static final int RIGHT = 0;
    public static final int WRONG = 1;
    public static final int COULD_NOT_RUN = 2;

    /** The first of them, for the end of a command's help. */
    public static final String TEXT =
            "%nExit codes: 0 done; 1 it failed, the message says why; 2 wrong arguments;" + " 3 there is no cluster.%n";

    private ExitCodes() {}
}
