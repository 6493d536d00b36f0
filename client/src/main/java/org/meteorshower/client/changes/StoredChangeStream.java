/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import java.util.List;
import org.meteorshower.client.changes.ChangeTables.Limits;
import org.meteorshower.client.changes.ChangeTables.StoredChange;

/** Reads the stream from its tables. Has no state. */
final class StoredChangeStream implements ChangeStream {

    private final ChangeTables tables;

    StoredChangeStream(ChangeTables tables) {
        this.tables = tables;
    }

    @Override
    public ChangePosition oldest() {
        return ChangePosition.of(tables.limits().oldest());
    }

    @Override
    public ChangePosition end() {
        return ChangePosition.of(tables.limits().below());
    }

    @Override
    public ChangeBatch read(ChangePosition from, int mostTransactions) {
        if (mostTransactions < 1 || mostTransactions > MOST_TRANSACTIONS) {
            throw new IllegalArgumentException(
                    "Ask for 1 to " + MOST_TRANSACTIONS + " transactions, not " + mostTransactions);
        }
        Limits limits = tables.limits();
        requireKept(from, limits);
        if (from.place() >= limits.below()) {
            return new ChangeBatch(List.of(), from);
        }
        ChangeBatch batch = gather(from, limits.below(), new Gathering(mostTransactions));
        // What was deleted while it was read is missing in the batch: whoever deletes moves the limit first.
        requireKept(from, tables.limits());
        return batch;
    }

    private static void requireKept(ChangePosition from, Limits limits) {
        if (from.place() < limits.oldest()) {
            throw new ChangesGoneException(from, ChangePosition.of(limits.oldest()));
        }
    }

    private ChangeBatch gather(ChangePosition from, long below, Gathering gathering) {
        for (long bucket : tables.buckets(bucketOf(from.place()), bucketOf(below - 1))) {
            for (StoredChange change : tables.changes(bucket, from)) {
                if (change.at().place() >= below) {
                    return gathering.upTo(ChangePosition.of(below));
                }
                if (!gathering.take(change)) {
                    return gathering.asFarAsTaken();
                }
            }
            if (gathering.isFull()) {
                return gathering.asFarAsTaken();
            }
        }
        return gathering.upTo(ChangePosition.of(below));
    }

    private static long bucketOf(long place) {
        return Math.floorDiv(place, ChangeTables.BUCKET);
    }
}
