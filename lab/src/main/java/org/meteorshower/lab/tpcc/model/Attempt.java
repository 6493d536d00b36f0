/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Key;
import org.meteorshower.lab.tpcc.Unit;
import org.meteorshower.lab.tpcc.View;

/** What tries of a unit have in common, whatever keeps them apart. On the model's thread. */
abstract class Attempt {
    private static final int ATTEMPTS = 10;
    private static final int PAUSE_MILLIS = 50;

    protected final TpccModel store;
    protected final String here;
    protected final Unit unit;
    private final String id;
    private final CompletableFuture<Answer> outcome;
    private int retries;

    Attempt(TpccModel store, String here, Unit unit, String id, CompletableFuture<Answer> outcome) {
        this.store = store;
        this.here = here;
        this.unit = unit;
        this.id = id;
        this.outcome = outcome;
    }

    /** Begins, also anew. */
    abstract void begin();

    /** The name of this try: what an earlier one has left must not be taken for this one's. */
    protected String name() {
        return id + "#" + retries;
    }

    protected void again() {
        retries++;
        if (retries >= ATTEMPTS) {
            outcome.complete(Answer.aborted(retries, "in conflict " + retries + " times"));
        } else {
            store.network().after(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS * retries), this::begin);
        }
    }

    protected void answer(Answer answer) {
        outcome.complete(answer.after(retries));
    }

    /** What the logic did that no store may ask of it: a mistake of ours, told rather than waited for. */
    protected void broken(RuntimeException mistake) {
        outcome.complete(Answer.aborted(retries, "the model is wrong: " + mistake));
    }

    protected Map<Site, List<Key>> homes(Collection<Key> keys) {
        Map<Site, List<Key>> homes = new LinkedHashMap<>();
        for (Key key : keys) {
            homes.computeIfAbsent(store.home(key), none -> new ArrayList<>()).add(key);
        }
        return homes;
    }

    /** All rows that the view has to do with and that ever change. */
    protected static Set<Key> changing(View view) {
        Set<Key> keys = new LinkedHashSet<>(view.read());
        keys.addAll(view.written().keySet());
        keys.removeIf(key -> key.kind().isConstant());
        return keys;
    }

    /** Tells the homes what was committed, which then free the rows, and all data centres, which keep copies. */
    protected void spread(String name, Set<Key> held, Map<Key, Versioned> written) {
        homes(held).forEach((site, keys) -> store.network().send(here, site.dc(), () -> {
            for (Key key : keys) {
                Versioned row = written.get(key);
                if (row != null) {
                    site.commit(key, row);
                }
            }
            site.release(name, keys);
        }));
        if (store.hasCopies()) {
            store.sites().forEach(site -> store.network().send(here, site.dc(), () -> written.forEach(site::hear)));
        }
    }

    /** The rows as the view writes them, each a version on. */
    protected static Map<Key, Versioned> next(View view, Map<Key, Versioned> read) {
        Map<Key, Versioned> written = new HashMap<>();
        view.written()
                .forEach((key, row) -> written.put(
                        key,
                        new Versioned(
                                row, read.getOrDefault(key, Versioned.NONE).version() + 1)));
        return written;
    }

    /** Frees the rows. */
    protected void release(String name, Collection<Key> held) {
        homes(held).forEach((site, keys) -> store.network().send(here, site.dc(), () -> site.release(name, keys)));
    }
}
