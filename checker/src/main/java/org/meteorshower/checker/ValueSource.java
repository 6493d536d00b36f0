/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that every value read was written, by a write that may have taken effect. */
final class ValueSource {
    private ValueSource() {}

    /** The first read that breaks it, or null. */
    static @Nullable Counterexample check(History history) {
        for (int op = 0; op < history.size(); op++) {
            if (history.isWrite(op)
                    || history.status(op) != Operation.Status.OK
                    || history.value(op) == History.NULL_VALUE) {
                continue;
            }
            int writer = history.writerOf(op);
            if (writer < 0) {
                return new Counterexample("a read returned a value that nobody wrote", List.of(op), List.of());
            }
            if (history.status(writer) == Operation.Status.FAIL) {
                return new Counterexample(
                        "a read returned the value of a write that certainly failed", List.of(op, writer), List.of());
            }
        }
        return null;
    }
}
