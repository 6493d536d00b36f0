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
 * Strict two-phase locking: asks all rows' homes for locks at the same time, then commits by Paxos commit, then lets
 * go. Who waits for a second suspects a deadlock and begins anew. On the model's thread.
 */
final class LockingAttempt extends Attempt {
    private static final long DEADLOCK_MILLIS = 1_000;

    private Map<Integer, Account> read = new HashMap<>();

    LockingAttempt(ModelStore store, String here, Request request, CompletableFuture<TransactionOutcome> outcome) {
        super(store, here, request, outcome);
    }

    @Override
    void begin() {
        String name = name();
        Map<Integer, Account> reading = new HashMap<>();
        read = reading;
        homes().forEach((site, rows) -> {
            for (int row : rows) {
                store.network().send(here, site.dc(), () -> site.lock(row)
                        .ask(name, request.kind().writes(), () -> {
                            Account found = site.row(row);
                            store.network().send(site.dc(), here, () -> granted(name, reading, found));
                        }));
            }
        });
        store.network().after(DEADLOCK_MILLIS, () -> {
            if (name.equals(name()) && reading.size() < request.rows().size()) {
                release(name);
                again();
            }
        });
    }

    private void granted(String name, Map<Integer, Account> reading, Account found) {
        reading.put(found.row(), found);
        // Of a try that was given up the locks are on their way back already.
        if (reading != read
                || !name.equals(name())
                || reading.size() < request.rows().size()) {
            return;
        }
        List<Account> written = request.kind().writes() ? writes(reading) : List.of();
        if (written.isEmpty()) {
            release(name);
            if (!request.kind().writes()) {
                answer(reading);
            }
            return;
        }
        Map<Site, List<Integer>> homes = homes();
        PaxosCommit commit = new PaxosCommit(
                store.network(),
                store.dcs(),
                here,
                homes.keySet().stream().map(Site::dc).toList(),
                () -> {
                    spread(name, written);
                    answer(reading);
                });
        homes.keySet().forEach(site -> store.network().send(here, site.dc(), () -> commit.prepared(site.dc())));
    }
}
