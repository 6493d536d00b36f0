/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Inputs;
import org.meteorshower.lab.tpcc.Ledger;
import org.meteorshower.lab.tpcc.Terminal;
import org.meteorshower.lab.tpcc.TpccClient;
import org.meteorshower.lab.tpcc.TpccScale;
import org.meteorshower.lab.tpcc.TpccType;
import org.meteorshower.lab.tpcc.Unit;

final class TpccSessionTest {
    private final Measurement measurement = new Measurement(
            System.nanoTime() - TimeUnit.SECONDS.toNanos(100), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500));
    private final TpccTally tally = new TpccTally(measurement, List.of("eu"));
    private final List<Unit> asked = new ArrayList<>();
    private Answer answer = Answer.committed(List.of(1), 0);

    private final TpccClient client = new TpccClient() {
        @Override
        public CompletionStage<List<Integer>> named(int warehouse, int district, int name) {
            return CompletableFuture.completedFuture(List.of(1, 2, 3));
        }

        @Override
        public CompletionStage<Answer> run(Unit unit) {
            asked.add(unit);
            return CompletableFuture.completedFuture(answer);
        }
    };

    private TpccSession session(boolean thinking) {
        return new TpccSession(
                new TpccSession.Place("eu", 2, 3),
                new Terminal(client, new Ledger(TpccScale.SMALL)),
                new Inputs(TpccScale.SMALL, 3, 1),
                thinking,
                tally,
                new SplittableRandom(1),
                Runnable::run,
                dc -> false);
    }

    private TpccFigures figures() {
        return Objects.requireNonNull(tally.figures().tpcc());
    }

    @Test
    void aTerminalAsksForTheMixOfItsWarehouse() {
        TpccSession session = session(false);
        for (int i = 0; i < 1_000; i++) {
            session.start(System.nanoTime(), measurement, () -> {});
        }
        assertThat(asked)
                .hasAtLeastOneElementOfType(Unit.NewOrder.class)
                .hasAtLeastOneElementOfType(Unit.Payment.class)
                .hasAtLeastOneElementOfType(Unit.Deliver.class)
                .hasAtLeastOneElementOfType(Unit.LastOrder.class)
                .hasAtLeastOneElementOfType(Unit.CountBelow.class)
                .filteredOn(Unit.NewOrder.class::isInstance)
                .allSatisfy(
                        unit -> assertThat(((Unit.NewOrder) unit).warehouse()).isEqualTo(2));
        assertThat(asked).filteredOn(Unit.RecentItems.class::isInstance).allSatisfy(unit -> assertThat(
                        ((Unit.RecentItems) unit).district())
                .isEqualTo(3));
        long all = figures().byType().values().stream()
                .mapToLong(TpccFigures.OfType::commits)
                .sum();
        assertThat(all).isEqualTo(1_000);
    }

    @Test
    void rollbacksAbortsAndUnknownsAreCountedApart() throws InterruptedException {
        for (Answer next : List.of(Answer.rolledBack(), Answer.aborted(1, "in conflict"), Answer.unknown(0, "late"))) {
            answer = next;
            CountDownLatch done = new CountDownLatch(1);
            session(false).start(System.nanoTime(), measurement, done::countDown);
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
        TransactionFigures figures = tally.figures();
        assertThat(figures.aborts()).isEqualTo(1);
        assertThat(figures.unknown()).isEqualTo(1);
        assertThat(figures.retries()).isEqualTo(1);
        TpccFigures tpcc = Objects.requireNonNull(figures.tpcc());
        assertThat(tpcc.byType().values().stream().mapToLong(TpccFigures.OfType::rollbacks))
                .contains(1L);
        assertThat(tpcc.byType().values().stream().mapToLong(TpccFigures.OfType::aborts))
                .contains(1L);
        assertThat(tpcc.byType().keySet()).containsExactly(TpccType.values());
    }

    @Test
    void whoThinksAsksSeldomAndIsDoneWhenTheMeasurementIs() throws InterruptedException {
        TpccSession session = session(true);
        for (int i = 0; i < 3; i++) {
            CountDownLatch done = new CountDownLatch(1);
            session.start(System.nanoTime(), measurement, done::countDown);
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(asked).hasSizeLessThanOrEqualTo(1);
    }
}
