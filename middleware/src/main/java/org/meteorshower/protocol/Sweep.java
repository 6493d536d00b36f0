/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayDeque;

/** All records, in rotation: each is looked at now and then, to be retired or settled. */
final class Sweep {
    private static final int PER_ROUND = 4_096;
    private static final int PAGE = 64;

    /** What is done with a record when its turn comes. */
    interface Visitor {
        /** Returns false when the record is done with and need not be seen again. */
        boolean visit(MutationRecord record);
    }

    private final ArrayDeque<MutationRecord> rotation = new ArrayDeque<>();
    private final ArrayDeque<MutationRecord> toApply = new ArrayDeque<>();

    /**
     * A page of these that the store was told of and does not have yet: no more of them are on their way at one time.
     */
    private final Offers offered = new Offers(PAGE);

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

    void reapply(Turn turn) {
        offered.round(turn.nanos(), Sweep::isAwaited, toApply::addLast);
        while (offered.hasRoom() && !toApply.isEmpty()) {
            MutationRecord record = toApply.removeFirst();
            if (isAwaited(record)) {
                offer(record, turn);
            }
        }
    }

    private static boolean isAwaited(MutationRecord record) {
        return record.local == MutationRecord.Local.APPLYING && record.partition != null;
    }

    private void offer(MutationRecord record, Turn turn) {
        Update update = record.update();
        turn.emit(
                update == null ? new Effect.ApplyFromJournal(record.key, record.id) : new Effect.ApplyToStore(update));
        offered.add(record, turn.nanos());
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
