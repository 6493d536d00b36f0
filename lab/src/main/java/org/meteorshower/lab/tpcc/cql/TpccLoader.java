/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.tpcc.Population;
import org.meteorshower.lab.transactions.Async;

/** Writes the first rows, many to a transaction. For one thread. */
final class TpccLoader {
    /** Less than the 1,000 changes of columns that a transaction may have. */
    private static final int COLUMNS = 600;

    private static final int MOST_ROWS = 50;
    private static final int AT_A_TIME = 24;

    /** So many transactions are made before they are sent. */
    private static final int HEAP = 240;

    private record Part(TpccTable table, List<List<@Nullable Object>> rows) {}

    private final String prefix;
    private final List<TpccStatements> clients;
    private final Map<TpccTable, List<List<@Nullable Object>>> open = new EnumMap<>(TpccTable.class);
    private final List<Part> parts = new ArrayList<>();
    private int sent;

    /** @param clients in all data centres, who take turns */
    TpccLoader(String prefix, List<TpccStatements> clients) {
        this.prefix = prefix;
        this.clients = clients;
    }

    void load(Population population) {
        TpccRows rows = new TpccRows(this::add);
        population.each(rows::take);
        open.forEach((table, left) -> parts.add(new Part(table, left)));
        open.clear();
        send();
    }

    private void add(TpccTable table, List<@Nullable Object> row) {
        List<List<@Nullable Object>> rows = open.computeIfAbsent(table, none -> new ArrayList<>());
        rows.add(row);
        if (rows.size() >= Math.min(MOST_ROWS, COLUMNS / row.size())) {
            parts.add(new Part(table, rows));
            open.remove(table);
            if (parts.size() >= HEAP) {
                send();
            }
        }
    }

    private void send() {
        Async.all(parts, AT_A_TIME, "the rows of TPC-C were written", part -> {
            Script script = new Script(prefix);
            String insertion = part.table().insertion("@") + ";";
            for (List<@Nullable Object> row : part.rows()) {
                script.add(insertion, row.toArray());
            }
            sent++;
            return clients.get(sent % clients.size()).run(script.text(), script.values());
        });
        parts.clear();
    }
}
