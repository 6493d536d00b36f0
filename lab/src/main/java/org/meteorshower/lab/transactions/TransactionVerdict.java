/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.transactions.IsolationChecker;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.IsolationVerdict;
import org.meteorshower.checker.transactions.RecordedTransaction;

/**
 * Whether a run can be true. Immutable.
 *
 * @param findings what is wrong, in words; empty where nothing is
 * @param history what the checker looked at
 */
public record TransactionVerdict(List<String> findings, List<RecordedTransaction> history, double seconds) {
    public TransactionVerdict {
        findings = List.copyOf(findings);
        history = List.copyOf(history);
    }

    /**
     * Three looks at the same run: the history is strictly serializable; the balances add up to what was loaded; every
     * row has been written as often as transactions committed that wrote it, or oftener by no more than did not answer.
     *
     * @param end all rows, when nothing was under way any more
     */
    public static TransactionVerdict of(List<Recorded> recorded, List<Account> end) {
        long start = System.nanoTime();
        List<String> findings = new ArrayList<>();
        List<RecordedTransaction> history = VersionHistory.of(recorded, end);
        try {
            IsolationVerdict verdict = IsolationChecker.check(history, IsolationModel.STRICT_SERIALIZABLE);
            if (verdict.outcome() != Outcome.CONSISTENT) {
                findings.add(verdict.report().strip());
            }
        } catch (IllegalArgumentException e) {
            findings.add(String.valueOf(e.getMessage()));
        }
        bank(end, findings);
        counts(recorded, end, findings);
        return new TransactionVerdict(findings, history, (System.nanoTime() - start) / 1e9);
    }

    /**
     * The same with snapshot reads, and two looks more: with them the history is serializable; each saw as much money
     * as there is; and no session went back behind what it had seen, or written.
     *
     * @param snapshots each of all rows
     */
    public static TransactionVerdict of(List<Recorded> recorded, List<Snapshot> snapshots, List<Account> end) {
        long start = System.nanoTime();
        TransactionVerdict strict = of(recorded, end);
        List<String> findings = new ArrayList<>(strict.findings());
        try {
            IsolationVerdict verdict =
                    IsolationChecker.check(VersionHistory.of(recorded, snapshots, end), IsolationModel.SERIALIZABLE);
            if (verdict.outcome() != Outcome.CONSISTENT) {
                findings.add("with snapshots: " + verdict.report().strip());
            }
        } catch (IllegalArgumentException e) {
            findings.add("with snapshots: " + e.getMessage());
        }
        for (Snapshot snapshot : snapshots) {
            long sum = snapshot.rows().stream().mapToLong(Account::balance).sum();
            if (sum != TransactionStore.BALANCE * snapshot.rows().size()) {
                findings.add("a snapshot of " + snapshot.session() + " saw balances that add up to " + sum);
            }
        }
        findings.addAll(SessionOrder.broken(recorded, snapshots));
        return new TransactionVerdict(findings, strict.history(), (System.nanoTime() - start) / 1e9);
    }

    private static void bank(List<Account> end, List<String> findings) {
        long sum = end.stream().mapToLong(Account::balance).sum();
        long loaded = TransactionStore.BALANCE * end.size();
        if (sum != loaded) {
            findings.add("the balances add up to " + sum + ", not to the " + loaded + " that were there at first");
        }
    }

    private static void counts(List<Recorded> recorded, List<Account> end, List<String> findings) {
        long least = writes(recorded, TransactionOutcome.Status.COMMIT);
        long most = least + writes(recorded, TransactionOutcome.Status.UNKNOWN);
        long versions = end.stream().mapToLong(Account::version).sum();
        if (versions < least || versions > most) {
            findings.add("the rows were written " + versions + " times, by transactions that committed " + least
                    + " times, and by others that did not answer " + (most - least) + " times");
        }
    }

    private static long writes(List<Recorded> recorded, TransactionOutcome.Status status) {
        return recorded.stream()
                .filter(each -> each.outcome().status() == status
                        && each.request().kind().writes())
                .mapToLong(each -> each.request().rows().size())
                .sum();
    }
}
