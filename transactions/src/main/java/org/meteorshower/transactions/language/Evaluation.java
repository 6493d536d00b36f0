/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What running something on rows gave.
 *
 * @param writes rows as they are from then on; {@link Row#ABSENT} deletes
 */
public record Evaluation(Outcome outcome, SortedMap<RowKey, Row> writes) {
    public Evaluation {
        writes = Collections.unmodifiableSortedMap(new TreeMap<>(writes));
    }

    public static Evaluation aborted(Outcome.Reason reason, String detail) {
        return new Evaluation(new Outcome.Aborted(reason, detail), new TreeMap<>());
    }
}
