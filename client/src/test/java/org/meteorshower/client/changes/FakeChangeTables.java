/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The tables of one data centre, in memory, as its node would fill them. For one thread. */
final class FakeChangeTables implements ChangeTables {
    /** Buckets whose rows were asked for, in order. */
    final List<Long> askedBuckets = new ArrayList<>();

    /** Done each time that rows are asked for, before they are given. */
    Runnable beforeRows = () -> {};

    private final TreeMap<ChangePosition, List<ChangedRow>> transactions = new TreeMap<>();
    private long oldest;
    private long below;
    private int limitsAsked;

    /** Sets some rows, named a, b and so on. */
    FakeChangeTables with(String at, int rows) {
        return with(at, rows, "{\"balance\":5}");
    }

    FakeChangeTables with(String at, int rows, String content) {
        List<ChangedRow> changed = transactions.computeIfAbsent(ChangePosition.parse(at), unused -> new ArrayList<>());
        for (int i = 0; i < rows; i++) {
            changed.add(new ChangedRow("shop.accounts", "{\"id\":\"" + (char) ('a' + i) + "\"}", content));
        }
        return this;
    }

    FakeChangeTables below(long place) {
        below = place;
        return this;
    }

    /** Deletes what is before it, as a node does: the limit first. */
    FakeChangeTables oldest(long place) {
        oldest = place;
        transactions.headMap(ChangePosition.of(place)).clear();
        return this;
    }

    int limitsAsked() {
        return limitsAsked;
    }

    @Override
    public Limits limits() {
        limitsAsked++;
        return new Limits(oldest, below);
    }

    @Override
    public Iterable<Long> buckets(long first, long last) {
        TreeSet<Long> buckets = new TreeSet<>();
        transactions.keySet().forEach(at -> buckets.add(Math.floorDiv(at.place(), BUCKET)));
        return List.copyOf(buckets.subSet(first, true, last, true));
    }

    @Override
    public Iterable<StoredChange> changes(long bucket, ChangePosition from) {
        askedBuckets.add(bucket);
        beforeRows.run();
        List<StoredChange> changes = new ArrayList<>();
        transactions
                .tailMap(from)
                .subMap(later(from, bucket * BUCKET), ChangePosition.of((bucket + 1) * BUCKET))
                .forEach((at, rows) -> rows.forEach(row -> changes.add(new StoredChange(at, row))));
        return changes;
    }

    private static ChangePosition later(ChangePosition from, long place) {
        ChangePosition start = ChangePosition.of(place);
        return from.compareTo(start) > 0 ? from : start;
    }
}
