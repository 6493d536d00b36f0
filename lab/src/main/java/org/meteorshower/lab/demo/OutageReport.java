/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import org.jspecify.annotations.Nullable;

/**
 * How clients fared while a data centre was dead and after it came back. Immutable.
 *
 * @param dc the one that was killed
 * @param downSeconds from the kill until its nodes served again
 * @param operations that succeeded from the kill on, everywhere
 * @param failures reads without an answer and writes of unknown outcome from the kill on
 * @param firstFailure one of them, or null
 * @param longestStallMillis longest time that a session of another data centre got no answer
 * @param longestMoveMillis longest time that a session of the dead data centre got no answer, until another served it
 */
record OutageReport(
        String dc,
        double downSeconds,
        long operations,
        int failures,
        @Nullable String firstFailure,
        double longestStallMillis,
        double longestMoveMillis) {}
