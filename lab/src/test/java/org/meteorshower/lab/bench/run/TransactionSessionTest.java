/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.lab.bench.plan.TransactionMix;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.transactions.Request;
import org.meteorshower.lab.transactions.TransactionClient;
import org.meteorshower.lab.transactions.TransactionLog;
import org.meteorshower.lab.transactions.TransactionOutcome;

final class TransactionSessionTest {
    private static final int GROUP = 10;

    private final Measurement measurement = new Measurement(
            System.nanoTime() - TimeUnit.SECONDS.toNanos(100), System.nanoTime() + TimeUnit.SECONDS.toNanos(100));
    private final TransactionTally tally = new TransactionTally(measurement, List.of("eu", "us"));
    private final TransactionLog log = new TransactionLog(1_000);
    private boolean dead;

    private TransactionSession session(TransactionMix mix, boolean zipfian, TransactionClient client) {
        WorkloadSpec workload = new WorkloadSpec("w", 100, zipfian, 0.5, 1, 0, 100, List.of(), List.of(), mix);
        return new TransactionSession(
                new TransactionSession.Name("eu", "eu-1-0"),
                client,
                workload,
                new TransactionSession.Rows(RowChooser.of(100, zipfian), 200, GROUP),
                log,
                tally,
                new SplittableRandom(1),
                Runnable::run,
                dc -> dead);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theRowsOfATransferDifferAndAreOfOneGroup(boolean zipfian) {
        List<Request> asked = new ArrayList<>();
        TransactionSession session = session(TransactionMix.YCSB_T, zipfian, request -> {
            asked.add(request);
            return CompletableFuture.completedFuture(TransactionOutcome.committed(List.of(), 0));
        });
        for (int i = 0; i < 500; i++) {
            session.start(System.nanoTime(), measurement, () -> {});
        }
        assertThat(asked).hasSize(500).allSatisfy(request -> {
            assertThat(request.rows()).hasSize(2).doesNotHaveDuplicates().allMatch(row -> row >= 200 && row < 300);
            assertThat(request.rows().get(0) / GROUP).isEqualTo(request.rows().get(1) / GROUP);
        });
        assertThat(asked).extracting(Request::id).doesNotHaveDuplicates();
        assertThat(asked).extracting(Request::kind).contains(Request.Kind.READ, Request.Kind.TRANSFER);
    }

    @Test
    void anOrderWritesOneOfFewRowsAndSevenOfTheOthers() {
        List<Request> asked = new ArrayList<>();
        TransactionSession session = session(TransactionMix.ORDER, false, request -> {
            asked.add(request);
            return CompletableFuture.completedFuture(TransactionOutcome.committed(List.of(), 0));
        });
        for (int i = 0; i < 200; i++) {
            session.start(System.nanoTime(), measurement, () -> {});
        }
        assertThat(asked).hasSize(200).allSatisfy(request -> {
            assertThat(request.kind()).isEqualTo(Request.Kind.ORDER);
            assertThat(request.rows())
                    .hasSize(Request.ROWS_OF_AN_ORDER)
                    .doesNotHaveDuplicates()
                    .allMatch(row -> row >= 200 && row < 300)
                    .first()
                    .isEqualTo(200);
        });
    }

    @Test
    void commitsAbortsAndUnknownsAreCountedApartAndOnlyCommitsHaveALatency() throws InterruptedException {
        List<TransactionOutcome> outcomes = new ArrayList<>(List.of(
                TransactionOutcome.committed(List.of(), 2),
                TransactionOutcome.aborted(3, "in conflict (with t1)"),
                TransactionOutcome.unknown(0, "WriteTimeoutException: it took long. And long")));
        TransactionSession session = session(
                TransactionMix.HOT_ROW, false, request -> CompletableFuture.completedFuture(outcomes.remove(0)));
        CountDownLatch ended = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            session.start(System.nanoTime(), measurement, ended::countDown);
        }
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();

        TransactionFigures figures = tally.figures(List.of());
        assertThat(List.of(figures.commits(), figures.aborts(), figures.unknown(), figures.retries()))
                .containsExactly(1L, 1L, 1L, 5L);
        assertThat(figures.reasons().keySet())
                .containsExactly("abort: in conflict", "unknown: WriteTimeoutException: it took long");
        assertThat(measurement.byDataCentre()).containsOnlyKeys("eu").hasEntrySatisfying("eu", each -> assertThat(
                        each.writes().getTotalCount())
                .isOne());
        assertThat(measurement.failures().get(Op.WRITE))
                .isEqualTo(new RunResult.Failures(2, "abort: in conflict (with t1)"));
        assertThat(log.all()).hasSize(3);
    }

    @Test
    void whoLivesInADeadDataCentreAsksForNothing() throws InterruptedException {
        dead = true;
        CountDownLatch ended = new CountDownLatch(1);
        TransactionSession session = session(TransactionMix.HOT_ROW, false, request -> {
            throw new AssertionError("asked for " + request);
        });
        session.start(System.nanoTime(), measurement, ended::countDown);
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(log.all()).isEmpty();
    }
}
