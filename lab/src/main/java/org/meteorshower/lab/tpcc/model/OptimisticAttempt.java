/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Key;
import org.meteorshower.lab.tpcc.Logic;
import org.meteorshower.lab.tpcc.Unit;
import org.meteorshower.lab.tpcc.View;
import org.meteorshower.lab.transactions.model.PaxosCommit;

/**
 * Optimistic concurrency control: reads the copies nearby, has the rows' homes validate that they are the newest and
 * that nobody is about to change them, and commits by Paxos commit. A home that says no says what the rows are now, so
 * that the next try begins with that. On the model's thread.
 */
final class OptimisticAttempt extends Attempt {
    private final Map<Key, Versioned> newer = new HashMap<>();

    OptimisticAttempt(TpccModel store, String here, Unit unit, String id, CompletableFuture<Answer> outcome) {
        super(store, here, unit, id, outcome);
    }

    /** One try: what it read and writes, and what the homes have said so far. */
    private final class Try {
        private final String name = name();
        private final Map<Key, Versioned> read;
        private final Map<Key, Versioned> written;
        private final Set<Key> keys;
        private final Map<Site, List<Key>> homes;

        /** Null where what was read cannot be right. */
        private final @Nullable Answer answer;

        private final PaxosCommit commit;
        private int answers;
        private boolean refused;

        Try(View view, Map<Key, Versioned> read, @Nullable Answer answer) {
            this.read = read;
            this.answer = answer;
            if (answer == null) {
                view.rewind();
            }
            written = next(view, read);
            keys = changing(view);
            homes = homes(keys);
            commit = new PaxosCommit(
                    store.network(),
                    store.dcs(),
                    here,
                    homes.keySet().stream().map(Site::dc).toList(),
                    () -> {
                        if (answer != null) {
                            spread(name, keys, written);
                            answer(answer);
                        }
                    });
        }

        void start() {
            Answer made = answer;
            if (homes.isEmpty() && made != null) {
                answer(made); // Nothing that it read ever changes.
                return;
            }
            homes.forEach((site, all) -> store.network().send(here, site.dc(), () -> validate(site, all)));
        }

        private void validate(Site site, List<Key> all) {
            boolean valid = answer != null
                    && all.stream()
                            .allMatch(key -> site.row(key).version()
                                            == read.getOrDefault(key, Versioned.NONE)
                                                    .version()
                                    && site.lock(key).isReadable());
            if (valid && !written.isEmpty()) {
                valid = all.stream().allMatch(key -> site.lock(key).take(name, written.containsKey(key)));
                if (valid) {
                    commit.prepared(site.dc());
                }
            }
            boolean said = valid;
            Map<Key, Versioned> current = new HashMap<>();
            if (!said) {
                all.forEach(key -> current.put(key, site.row(key)));
            }
            store.network().send(site.dc(), here, () -> told(said, current));
        }

        private void told(boolean valid, Map<Key, Versioned> current) {
            newer.putAll(current);
            answers++;
            refused |= !valid;
            Answer made = answer;
            if (answers < homes.size()) {
                return;
            }
            if (refused || made == null) {
                release(name, keys);
                again();
            } else if (written.isEmpty()) {
                answer(made);
            }
        }
    }

    @Override
    void begin() {
        View view = new View();
        Map<Key, Versioned> read = new HashMap<>();
        @Nullable Answer answer = null;
        boolean torn = false;
        while (answer == null && !torn) {
            view.rewind();
            try {
                answer = Logic.run(unit, view);
            } catch (View.NotYet e) {
                view.missing().keySet().forEach(key -> {
                    Versioned found = nearby(key);
                    read.put(key, found);
                    view.tell(key, found.row());
                });
            } catch (View.Torn e) {
                torn = true;
            }
        }
        new Try(view, read, answer).start();
    }

    private Versioned nearby(Key key) {
        Versioned copy = store.site(here).copy(key);
        Versioned told = newer.getOrDefault(key, copy);
        return told.version() > copy.version() ? told : copy;
    }
}
