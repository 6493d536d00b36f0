/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.lab.cluster.Wan;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Audit;
import org.meteorshower.lab.tpcc.Conditions;
import org.meteorshower.lab.tpcc.Inputs;
import org.meteorshower.lab.tpcc.Ledger;
import org.meteorshower.lab.tpcc.Population;
import org.meteorshower.lab.tpcc.Terminal;
import org.meteorshower.lab.tpcc.TpccScale;
import org.meteorshower.lab.tpcc.TpccType;
import org.meteorshower.lab.transactions.model.ModelStore;

final class TpccModelTest {
    private static final List<String> DCS = List.of("eu", "us", "asia");
    private static final TpccScale SCALE = new TpccScale(1, 2, 20, 40);
    private static final int CLIENTS = 9;
    private static final int TRANSACTIONS = 60;

    @TempDir
    private Path folder;

    private final Map<Answer.Status, Integer> ends = new EnumMap<>(Answer.Status.class);

    private TpccModel store(ModelStore.Control control, boolean near, double delayMillis) {
        Wan wan = new Wan(folder.resolve("wan.properties"));
        wan.change(matrix -> {
            var changed = matrix;
            for (String from : DCS) {
                for (String to : DCS) {
                    changed = from.equals(to) ? changed : changed.withLink(from, to, delayMillis, 0, 0);
                }
            }
            return changed;
        });
        TpccModel store = new TpccModel(control, DCS, near, wan.file());
        store.create(new Population(SCALE, DCS.size(), 1, 1));
        return store;
    }

    @ParameterizedTest
    @CsvSource({"LOCKING, false", "LOCKING, true", "OPTIMISTIC, false", "OPTIMISTIC, true"})
    void manyTerminalsAtFewDistrictsKeepAllConditions(ModelStore.Control control, boolean near) throws Exception {
        Ledger ledger = new Ledger(SCALE);
        Inputs inputs = new Inputs(SCALE, DCS.size(), 1);
        try (TpccModel store = store(control, near, 2)) {
            assertThat(Conditions.broken(store.audit())).isEmpty();
            List<CompletableFuture<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int dc = i % DCS.size();
                Terminal terminal = new Terminal(store.client(DCS.get(dc)), ledger);
                clients.add(next(terminal, inputs, dc + 1, new SplittableRandom(i), 0));
            }
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).get(180, TimeUnit.SECONDS);
            Audit audit = store.audit();

            assertThat(Conditions.broken(audit)).isEmpty();
            assertThat(ledger.broken(audit)).isEmpty();
            assertThat(ends).doesNotContainKey(Answer.Status.UNKNOWN);
            assertThat(ends.getOrDefault(Answer.Status.COMMIT, 0)).isGreaterThan(CLIENTS * TRANSACTIONS / 2);
        }
    }

    private CompletableFuture<Void> next(
            Terminal terminal, Inputs inputs, int warehouse, SplittableRandom random, int number) {
        if (number == TRANSACTIONS) {
            return CompletableFuture.completedFuture(null);
        }
        return terminal.run(inputs.next(TpccType.draw(random), warehouse, 1, random))
                .toCompletableFuture()
                .thenCompose(answer -> {
                    assertThat(answer.reason()).doesNotContain("the model is wrong");
                    synchronized (ends) {
                        ends.merge(answer.status(), 1, Integer::sum);
                    }
                    return next(terminal, inputs, warehouse, random, number + 1);
                });
    }
}
