/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;

/**
 * What came of a run.
 *
 * @param lost a line for each row whose acknowledged write is lost or cannot be read, and each session that could not
 *     read on
 * @param watch what each fault did to stock clients; null where there were none
 */
record ReadTortureResult(
        ReadTortureOptions options,
        History history,
        Verdict verdict,
        long checkNanos,
        List<String> lost,
        TortureFigures figures,
        @Nullable Watch watch)
        implements TortureResult {

    @Override
    public boolean isRight() {
        return verdict.outcome() == Outcome.CONSISTENT && lost.isEmpty() && (watch == null || watch.isRight());
    }

    int violations() {
        int wentBack = watch == null ? 0 : watch.wentBack().size();
        return wentBack + (verdict.outcome() == Outcome.VIOLATION ? 1 : 0);
    }
}
