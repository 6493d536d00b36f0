/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** What a history is checked against. */
public enum Model {
    /** One order of all operations in which reads return the latest write and sessions keep their program order. */
    SEQUENTIAL,
    /** For each key one order that also keeps real time: what ended before another started comes before it. */
    LINEARIZABLE;

    /** Checks with the limits that suit a command line. Uses no thread but the caller's. */
    public Verdict check(History history) {
        return check(history, CheckLimits.DEFAULT);
    }

    /** Checks with limits of one's own. */
    public Verdict check(History history, CheckLimits limits) {
        return this == SEQUENTIAL
                ? SequentialChecker.check(history, limits)
                : LinearizableChecker.check(history, limits);
    }
}
