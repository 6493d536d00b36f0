/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayDeque;

/** All records, in rotation: each is looked at now and then, to be retired or settled. */
final class Sweep {
    private static final int PER_ROUND = 4_096;

    /** What is done with a record when its turn comes. */
    interface Visitor {
        /** Returns false when the record is done with and need not be seen again. */
        boolean visit(MutationRecord record);
    }

    private final ArrayDeque<MutationRecord> rotation = new ArrayDeque<>();
    private final ArrayDeque<MutationRecord> toApply = new ArrayDeque<>();

    void add(MutationRecord record) {
        rotation.addLast(record);
    }

    /** The store has refused this one, or may never have got it: it is to be applied again. */
    void reapplySoon(MutationRecord record) {
        toApply.addLast(record);
    }

    boolean isAnyToReapply() {
        return !toApply.isEmpty();
    }

    void reapply(Turn turn, int limit) {
        for (int i = 0; i < limit && !toApply.isEmpty(); i++) {
            MutationRecord record = toApply.removeFirst();
            if (record.local == MutationRecord.Local.APPLYING && record.update != null) {
                turn.emit(new Effect.ApplyToStore(record.update));
            }
        }
    }

    void round(Visitor visitor) {
        if (rotation.size() <= PER_ROUND) {
            rotation.removeIf(record -> !visitor.visit(record)); // all of them: nothing needs to change its place
            return;
        }
        for (int i = PER_ROUND; i > 0; i--) {
            MutationRecord record = rotation.removeFirst();
            if (visitor.visit(record)) {
                rotation.addLast(record);
            }
        }
    }
}
