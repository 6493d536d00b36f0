/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Key;
import org.meteorshower.lab.tpcc.Logic;
import org.meteorshower.lab.tpcc.Unit;
import org.meteorshower.lab.tpcc.View;
import org.meteorshower.lab.transactions.model.PaxosCommit;

/**
 * Strict two-phase locking: asks the rows' homes for all locks that it can name at the same time, again for those that
 * it can name then; commits by Paxos commit; lets go. Who waits for a second suspects a deadlock and begins anew. New
 * rows are locked as they are prepared: nobody else can name them yet. On the model's thread.
 */
final class LockingAttempt extends Attempt {
    private static final long DEADLOCK_MILLIS = 1_000;

    private View view = new View();
    private Map<Key, Versioned> read = new HashMap<>();

    /** What was asked for, whether granted or not. */
    private Set<Key> held = new LinkedHashSet<>();

    private int waiting;

    LockingAttempt(TpccModel store, String here, Unit unit, String id, CompletableFuture<Answer> outcome) {
        super(store, here, unit, id, outcome);
    }

    @Override
    void begin() {
        view = new View();
        read = new HashMap<>();
        held = new LinkedHashSet<>();
        go();
    }

    /** Runs the logic as far as the rows that are there let it. */
    private void go() {
        while (true) {
            view.rewind();
            try {
                ended(Logic.run(unit, view));
                return;
            } catch (View.NotYet e) {
                if (!ask(view.missing())) {
                    return;
                }
            } catch (View.Torn e) {
                release(name(), held);
                broken(e);
                return;
            }
        }
    }

    /** Whether all of them were here. */
    private boolean ask(Map<Key, Boolean> missing) {
        String name = name();
        View asking = view;
        waiting = 0;
        missing.forEach((key, toWrite) -> {
            if (key.kind().isConstant()) {
                asking.tell(key, store.site(here).copy(key).row());
                return;
            }
            waiting++;
            held.add(key);
            Site site = store.home(key);
            store.network().send(here, site.dc(), () -> site.lock(key).ask(name, toWrite, () -> {
                Versioned found = site.row(key);
                store.network().send(site.dc(), here, () -> granted(name, key, found));
            }));
        });
        if (waiting == 0) {
            return true;
        }
        int round = held.size();
        store.network().after(DEADLOCK_MILLIS, () -> {
            if (asking == view && name.equals(name()) && round == held.size() && waiting > 0) {
                view = new View(); // What is granted from now on comes too late.
                release(name, held);
                again();
            }
        });
        return false;
    }

    private void granted(String name, Key key, Versioned found) {
        if (!name.equals(name()) || view.read().contains(key) || !held.contains(key)) {
            return; // Of a try that was given up the locks are on their way back already.
        }
        view.tell(key, found.row());
        read.put(key, found);
        waiting--;
        if (waiting == 0) {
            go();
        }
    }

    private void ended(Answer answer) {
        String name = name();
        if (view.written().isEmpty()) {
            release(name, held);
            answer(answer);
            return;
        }
        Map<Key, Versioned> written = next(view, read);
        Set<Key> all = new LinkedHashSet<>(held);
        all.addAll(view.added());
        Map<Site, List<Key>> homes = homes(written.keySet());
        PaxosCommit commit = new PaxosCommit(
                store.network(),
                store.dcs(),
                here,
                homes.keySet().stream().map(Site::dc).toList(),
                () -> {
                    spread(name, all, written);
                    answer(answer);
                });
        Set<Key> added = view.added();
        homes.forEach((site, keys) -> store.network().send(here, site.dc(), () -> {
            for (Key key : keys) {
                if (added.contains(key) && !site.lock(key).take(name, true)) {
                    throw new IllegalStateException("somebody knows the new row " + key);
                }
            }
            commit.prepared(site.dc());
        }));
    }
}
