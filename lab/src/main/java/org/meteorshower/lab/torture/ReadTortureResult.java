/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.List;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;

/**
 * What came of a run.
 *
 * @param lost a line for each row whose acknowledged write is lost or cannot be read, and each session that could not
 *     read on
 */
record ReadTortureResult(
        ReadTortureOptions options,
        History history,
        Verdict verdict,
        long checkNanos,
        List<String> lost,
        TortureFigures figures)
        implements TortureResult {

    @Override
    public boolean isRight() {
        return verdict.outcome() == Outcome.CONSISTENT && lost.isEmpty();
    }

    int violations() {
        return verdict.outcome() == Outcome.VIOLATION ? 1 : 0;
    }
}
