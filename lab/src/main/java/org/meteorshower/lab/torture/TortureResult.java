/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

/** What came of a run, of either kind. */
interface TortureResult {
    /** Whether nothing is to be said against it. */
    boolean isRight();

    TortureFigures figures();
}
