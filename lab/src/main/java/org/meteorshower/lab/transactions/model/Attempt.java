/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** What tries of a transaction have in common, whatever keeps them apart. On the model's thread. */
abstract class Attempt {
    private static final int ATTEMPTS = 10;
    private static final int PAUSE_MILLIS = 50;

    protected final ModelStore store;
    protected final String here;
    protected final Request request;
    private final CompletableFuture<TransactionOutcome> outcome;
    private int retries;

    Attempt(ModelStore store, String here, Request request, CompletableFuture<TransactionOutcome> outcome) {
        this.store = store;
        this.here = here;
        this.request = request;
        this.outcome = outcome;
    }

    /** Begins, also anew. */
    abstract void begin();

    /** The name of this try: what an earlier one has left must not be taken for this one's. */
    protected String name() {
        return request.id() + "#" + retries;
    }

    protected void again() {
        retries++;
        if (retries >= ATTEMPTS) {
            outcome.complete(TransactionOutcome.aborted(retries, "in conflict " + retries + " times"));
        } else {
            store.network().after(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS * retries), this::begin);
        }
    }

    /** The rows by their homes. */
    protected Map<Site, List<Integer>> homes() {
        Map<Site, List<Integer>> homes = new HashMap<>();
        for (int row : request.rows()) {
            homes.computeIfAbsent(store.home(row), none -> new ArrayList<>()).add(row);
        }
        return homes;
    }

    /** What it writes, given what it read; empty where the account has too little: then it is answered. */
    protected List<Account> writes(Map<Integer, Account> read) {
        List<Account> written = new ArrayList<>();
        for (int row : request.rows()) {
            Account account = account(read, row);
            boolean first = row == request.rows().get(0);
            if (first && account.balance() < request.amount()) {
                outcome.complete(TransactionOutcome.aborted(retries, "too little on the account"));
                return List.of();
            }
            written.add(new Account(
                    row,
                    account.balance() + (first ? -request.amount() : request.amount()),
                    account.version() + 1,
                    request.id()));
        }
        return List.copyOf(written);
    }

    protected void answer(Map<Integer, Account> read) {
        List<TransactionOutcome.Seen> seen = new ArrayList<>();
        for (int row : request.rows()) {
            Account account = account(read, row);
            seen.add(new TransactionOutcome.Seen(account.version(), account.last()));
        }
        outcome.complete(TransactionOutcome.committed(seen, retries));
    }

    private static Account account(Map<Integer, Account> read, int row) {
        Account account = read.get(row);
        if (account == null) {
            throw new IllegalStateException("row " + row + " was not read");
        }
        return account;
    }

    /** Tells the homes what was committed, which then free the rows, and all data centres, which keep copies. */
    protected void spread(String name, List<Account> written) {
        homes().forEach((site, rows) -> store.network().send(here, site.dc(), () -> {
            site.commit(written.stream()
                    .filter(account -> rows.contains(account.row()))
                    .toList());
            site.release(name, rows);
        }));
        store.sites().forEach(site -> store.network().send(here, site.dc(), () -> site.hear(written)));
    }

    /** Frees the rows. */
    protected void release(String name) {
        homes().forEach((site, rows) -> store.network().send(here, site.dc(), () -> site.release(name, rows)));
    }
}
