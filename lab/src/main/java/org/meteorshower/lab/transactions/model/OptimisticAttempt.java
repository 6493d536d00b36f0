/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.TransactionOutcome;

/**
 * Optimistic concurrency control: reads the copies nearby, has the rows' homes validate that they are the newest and
 * that nobody is about to change them, and commits by Paxos commit. A home that says no says what the rows are now, so
 * that the next try begins with that. On the model's thread.
 */
final class OptimisticAttempt extends Attempt {
    private Map<Integer, Account> read = new HashMap<>();
    private final Map<Integer, Account> newer = new HashMap<>();

    OptimisticAttempt(ModelStore store, String here, Request request, CompletableFuture<TransactionOutcome> outcome) {
        super(store, here, request, outcome);
    }

    /** One try: what the homes have said so far. */
    private final class Try {
        private final String name = name();
        private final Map<Site, List<Integer>> homes = homes();
        private int answers;
        private boolean refused;
        private boolean committed;

        private void told(boolean valid) {
            answers++;
            refused |= !valid;
            if (answers < homes.size()) {
                return;
            }
            if (refused) {
                release(name);
                again();
            } else if (!request.kind().writes() && !committed) {
                committed = true;
                answer(read);
            }
        }
    }

    @Override
    void begin() {
        Map<Integer, Account> reading = new HashMap<>();
        Site nearby = store.site(here);
        for (int row : request.rows()) {
            Account copy = nearby.copy(row);
            Account told = newer.getOrDefault(row, copy);
            reading.put(row, told.version() > copy.version() ? told : copy);
        }
        read = reading;
        boolean writes = request.kind().writes();
        List<Account> written = writes ? writes(reading) : List.of();
        if (writes && written.isEmpty()) {
            return; // Answered; what was read may be old, which would matter if accounts were ever empty.
        }
        Try now = new Try();
        PaxosCommit commit = new PaxosCommit(
                store.network(),
                store.dcs(),
                here,
                now.homes.keySet().stream().map(Site::dc).toList(),
                () -> {
                    now.committed = true;
                    spread(now.name, written);
                    answer(reading);
                });
        now.homes.forEach((site, rows) ->
                store.network().send(here, site.dc(), () -> validate(site, rows, reading, now, writes, commit)));
    }

    private void validate(
            Site site, List<Integer> rows, Map<Integer, Account> reading, Try now, boolean writes, PaxosCommit commit) {
        boolean valid = rows.stream()
                .allMatch(row ->
                        site.row(row).equals(reading.get(row)) && site.lock(row).isReadable());
        if (valid && writes) {
            valid = rows.stream().allMatch(row -> site.lock(row).take(now.name, true));
            if (valid) {
                commit.prepared(site.dc());
            }
        }
        boolean said = valid;
        List<Account> current = rows.stream().map(site::row).toList();
        store.network().send(site.dc(), here, () -> {
            if (!said) {
                current.forEach(account -> newer.put(account.row(), account));
            }
            now.told(said);
        });
    }
}
