/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Rows in a map, one transaction after the other. */
final class MapStore implements TpccClient {
    final Map<Key, Row> rows = new HashMap<>();

    static MapStore loaded(TpccScale scale, int warehouses, long seed) {
        MapStore store = new MapStore();
        new Population(scale, warehouses, seed, 1_000_000_000_000L).each(store.rows::put);
        return store;
    }

    @Override
    public CompletionStage<List<Integer>> named(int warehouse, int district, int name) {
        return rows.get(Key.names(warehouse, district, name)) instanceof Row.Names names
                ? CompletableFuture.completedFuture(names.customers())
                : CompletableFuture.failedFuture(new UnknownNameException("nobody"));
    }

    @Override
    public CompletionStage<Answer> run(Unit unit) {
        return CompletableFuture.completedFuture(now(unit));
    }

    Answer now(Unit unit) {
        View view = new View();
        while (true) {
            view.rewind();
            try {
                Answer answer = Logic.run(unit, view);
                rows.putAll(view.written());
                return answer;
            } catch (View.NotYet e) {
                view.missing().keySet().forEach(key -> view.tell(key, rows.get(key)));
            }
        }
    }

    <R extends Row> R get(Key key, Class<R> type) {
        return type.cast(rows.get(key));
    }
}
