/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.meteorshower.checker.transactions.RecordedTransaction;

/**
 * Makes a history of lists that are appended to out of what clients saw of versions, for the checker. A row is a list:
 * each writer appends its own id. Who wrote a version is known twice, from the writer, which found the version before,
 * and from whoever found its id; what a client found at version n is the list of the first n writers, with the last one
 * as it says itself.
 *
 * <p>So that lists stay short, a row is cut into lists of so many versions each, in order: who reads or writes near a
 * border does so in both. Writers that nobody saw and that never answered leave gaps; a transaction of their own of
 * which nothing is known stands for each. A row's first versions are known of {@link TransactionStore#NOBODY}.
 */
public final class VersionHistory {
    /** Versions in one list. */
    private static final int LIST = 100;

    private final Map<Integer, TreeMap<Long, String>> writers = new HashMap<>();
    private final Map<String, List<RecordedTransaction.Step>> gaps = new TreeMap<>();

    private VersionHistory() {}

    /** The history, with what the rows held in the end as a last transaction. */
    public static List<RecordedTransaction> of(List<Recorded> recorded, List<Account> end) {
        return of(recorded, List.of(), end);
    }

    /** The same with what snapshot reads saw: it is serializable, and need not be strictly so. */
    public static List<RecordedTransaction> of(List<Recorded> recorded, List<Snapshot> snapshots, List<Account> end) {
        VersionHistory history = new VersionHistory();
        snapshots.forEach(snapshot -> snapshot.rows().forEach(history::learn));
        long endNanos = recorded.stream().mapToLong(Recorded::endNanos).max().orElse(0) + 1;
        recorded.forEach(history::learn);
        end.forEach(history::learn);
        List<RecordedTransaction> all = new ArrayList<>();
        for (Recorded each : recorded) {
            all.add(history.transaction(each));
        }
        for (Snapshot snapshot : snapshots) {
            List<RecordedTransaction.Step> steps = new ArrayList<>();
            snapshot.rows().forEach(account -> history.reads(account.row(), account.version(), account.last(), steps));
            all.add(new RecordedTransaction(
                    snapshot.session(),
                    steps,
                    snapshot.startNanos(),
                    snapshot.endNanos(),
                    RecordedTransaction.Status.OK));
        }
        for (Account account : end) {
            List<RecordedTransaction.Step> steps = new ArrayList<>();
            history.reads(account.row(), account.version(), account.last(), steps);
            all.add(new RecordedTransaction("end", steps, endNanos, endNanos, RecordedTransaction.Status.OK));
        }
        history.gaps.forEach((writer, steps) ->
                all.add(new RecordedTransaction(writer, steps, 0, 0, RecordedTransaction.Status.UNKNOWN)));
        return all;
    }

    private void learn(Recorded each) {
        List<Integer> rows = each.request().rows();
        List<TransactionOutcome.Seen> seen = each.outcome().seen();
        for (int i = 0; i < seen.size(); i++) {
            learn(rows.get(i), seen.get(i).version(), seen.get(i).last());
            if (each.request().kind().writes()) {
                // Where somebody claims the version as well, it is theirs who was seen: the checker finds the other one
                // missing.
                of(rows.get(i))
                        .putIfAbsent(seen.get(i).version() + 1, each.request().id());
            }
        }
    }

    private void learn(Account account) {
        learn(account.row(), account.version(), account.last());
    }

    private void learn(int row, long version, String last) {
        if (version > 0) {
            of(row).put(version, last);
        }
    }

    private NavigableMap<Long, String> of(int row) {
        return writers.computeIfAbsent(row, none -> new TreeMap<>());
    }

    private RecordedTransaction transaction(Recorded each) {
        List<RecordedTransaction.Step> steps = new ArrayList<>();
        List<Integer> rows = each.request().rows();
        List<TransactionOutcome.Seen> seen = each.outcome().seen();
        for (int i = 0; i < seen.size(); i++) {
            reads(rows.get(i), seen.get(i).version(), seen.get(i).last(), steps);
        }
        for (int i = 0; each.request().kind().writes() && i < rows.size(); i++) {
            // Of one that did not answer nobody knows which version it wrote, unless somebody saw it. Where nobody did,
            // it may have been any of those that stand for what nobody saw: nothing can be said of it.
            long version = i < seen.size()
                    ? seen.get(i).version() + 1
                    : versionOf(rows.get(i), each.request().id());
            if (version > 0) {
                steps.add(new RecordedTransaction.Append(
                        list(rows.get(i), version), each.request().id()));
            }
        }
        return new RecordedTransaction(
                each.session(), steps, each.startNanos(), each.endNanos(), status(each.outcome()));
    }

    private static RecordedTransaction.Status status(TransactionOutcome outcome) {
        return switch (outcome.status()) {
            case COMMIT -> RecordedTransaction.Status.OK;
            case ABORT -> RecordedTransaction.Status.FAIL;
            case UNKNOWN -> RecordedTransaction.Status.UNKNOWN;
        };
    }

    /** Which version it was seen as; 0 where nobody saw it. */
    private long versionOf(int row, String id) {
        return of(row).entrySet().stream()
                .filter(entry -> entry.getValue().equals(id))
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(0);
    }

    /** The lists that hold this version and the next. */
    private void reads(int row, long version, String last, List<RecordedTransaction.Step> steps) {
        for (String list : new LinkedHashSet<>(List.of(list(row, version), list(row, version + 1)))) {
            List<String> values = new ArrayList<>();
            for (long at = Math.max(1, version - LIST); at <= version; at++) {
                if (list(row, at).equals(list)) {
                    values.add(at == version ? last : writer(row, at));
                }
            }
            steps.add(new RecordedTransaction.Read(list, values));
        }
    }

    private String writer(int row, long version) {
        NavigableMap<Long, String> ofRow = of(row);
        String found = ofRow.get(version);
        if (found == null) {
            found = "unseen-" + row + "-" + version;
            ofRow.put(version, found);
            gaps.put(found, List.of(new RecordedTransaction.Append(list(row, version), found)));
        }
        return found;
    }

    /** Version 1 is the first of list 0. */
    private static String list(int row, long version) {
        return row + "." + Math.max(0, version - 1) / LIST;
    }
}
