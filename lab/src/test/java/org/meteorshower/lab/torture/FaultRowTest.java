/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.torture.StockRequest.Answer;
import org.meteorshower.lab.torture.StockRequest.Subject;

class FaultRowTest {
    private static StockRequest request(double fromSeconds, double millis, String dc, Answer answer) {
        long start = (long) (fromSeconds * 1e9);
        return new StockRequest(
                start,
                start + (long) (millis * 1e6),
                dc,
                Subject.SEQUENTIAL,
                true,
                answer,
                answer.isFailure() ? answer.name() : "",
                "");
    }

    /** From second 10 to 20 at us; undone at 18. */
    private static FaultSpan span(FaultKind kind) {
        return new FaultSpan(new Fault(kind, "us", 0, 0, 0), 10_000_000_000L, 18_000_000_000L, 20_000_000_000L);
    }

    private static List<FaultRow> rows(FaultKind kind, StockRequest... requests) {
        return FaultRow.of(List.of(span(kind)), List.of(requests), List.of());
    }

    @Test
    void aFailureBelongsToTheFaultThatItMet() {
        List<FaultRow> rows = rows(
                FaultKind.JOIN,
                request(5, 10, "eu", Answer.REFUSED),
                request(9.5, 700, "eu", Answer.TIMED_OUT),
                request(15, 10, "us", Answer.REFUSED));

        assertThat(rows.get(0).count(Answer.REFUSED)).isEqualTo(1);
        assertThat(rows.get(0).count(Answer.TIMED_OUT)).isEqualTo(1);
        assertThat(rows.get(0).errors()).isEqualTo(Map.of("REFUSED", 1, "TIMED_OUT", 1));
        assertThat(rows.get(1).span()).isNull();
        assertThat(rows.get(1).count(Answer.REFUSED)).isEqualTo(1);
    }

    @Test
    void aFailureJustAfterAFaultIsStillTheFaultsAndAnAnswerIsNot() {
        List<FaultRow> rows = rows(
                FaultKind.JOIN,
                request(24, 10, "eu", Answer.REFUSED),
                request(24, 10, "eu", Answer.LOCAL),
                request(26, 10, "eu", Answer.REFUSED));

        assertThat(rows.get(0).count(Answer.REFUSED)).isEqualTo(1);
        assertThat(rows.get(0).count(Answer.LOCAL)).isZero();
        assertThat(rows.get(1).requests()).isEqualTo(2);
    }

    @Test
    void ofTwoFaultsTheLaterOneCounts() {
        FaultSpan later = new FaultSpan(
                new Fault(FaultKind.RF, "eu", 0, 0, 0), 22_000_000_000L, 30_000_000_000L, 30_000_000_000L);
        List<FaultRow> rows = FaultRow.of(
                List.of(span(FaultKind.JOIN), later), List.of(request(23, 10, "eu", Answer.REFUSED)), List.of());

        assertThat(rows).extracting(row -> row.count(Answer.REFUSED)).containsExactly(0, 1, 0);
    }

    /** Cassandra's own, since MeteorShower's refusals are kept with their reasons. */
    @Test
    void aNodeThatHasJustStartedMayNotHaveHeardOfTheOthers() {
        StockRequest asked = request(17, 10, "us", Answer.REFUSED);
        StockRequest ours = with(asked, "UnavailableException", "MeteorShower: the table is not served");
        StockRequest cassandras = with(asked, "UnavailableException", "");

        assertThat(rows(FaultKind.DC_OUTAGE, ours, cassandras).get(0).count(Answer.REFUSED))
                .isEqualTo(1);
        assertThat(rows(FaultKind.DC_OUTAGE, cassandras).get(0).cassandrasOwn()).isEqualTo(1);
        assertThat(rows(FaultKind.RF, cassandras).get(0).cassandrasOwn()).isZero();
    }

    private static StockRequest with(StockRequest request, String error, String reason) {
        return new StockRequest(
                request.startNanos(),
                request.endNanos(),
                request.dc(),
                request.about(),
                request.isRead(),
                request.answer(),
                error,
                reason);
    }

    @Test
    void whatTheKilledCoordinatorsClientsGetIsCassandrasOwn() {
        FaultRow row = rows(
                        FaultKind.DC_OUTAGE,
                        request(11, 9_000, "us", Answer.UNREACHABLE),
                        request(12, 10, "us", Answer.REFUSED),
                        request(12, 20, "eu", Answer.UNREACHABLE),
                        request(13, 10, "eu", Answer.LOCAL))
                .get(0);

        assertThat(row.cassandrasOwn()).isEqualTo(1);
        assertThat(row.cassandras()).isEqualTo(Map.of("UNREACHABLE", 1));
        assertThat(row.count(Answer.REFUSED)).isEqualTo(1);
        assertThat(row.count(Answer.UNREACHABLE)).isEqualTo(1);
        assertThat(row.longestMillis()).as("without Cassandra's own").isEqualTo(20);
        assertThat(row.requests()).isEqualTo(4);
    }

    @Test
    void whoIsCutOffIsRefusedByCassandraTooButNotOnceItIsBack() {
        FaultRow row = rows(
                        FaultKind.CUT,
                        request(12, 10, "us", Answer.REFUSED),
                        request(12, 10, "asia", Answer.REFUSED),
                        request(24, 10, "us", Answer.REFUSED))
                .get(0);

        assertThat(row.cassandrasOwn()).isEqualTo(1);
        assertThat(row.count(Answer.REFUSED)).isEqualTo(2);
    }

    @Test
    void aChangeOfTheRingExcusesNoRefusal() {
        for (FaultKind kind : List.of(FaultKind.JOIN, FaultKind.DECOMMISSION, FaultKind.REPLACE, FaultKind.RF)) {
            assertThat(rows(kind, request(12, 10, "us", Answer.REFUSED)).get(0).cassandrasOwn())
                    .as(kind.word())
                    .isZero();
        }
    }

    @Test
    void unservedIsTheTimeUntilTheTableIsServedAgainWhereItTookLongest() {
        FaultRow row = rows(
                        FaultKind.JOIN,
                        request(11, 10, "eu", Answer.LOCAL),
                        request(12, 10, "eu", Answer.REFUSED),
                        request(13, 10, "eu", Answer.PLAIN),
                        request(14, 500, "eu", Answer.WAITED),
                        request(15, 10, "eu", Answer.REFUSED),
                        request(16, 0, "eu", Answer.FORWARDED),
                        request(12, 10, "asia", Answer.REFUSED),
                        request(13, 0, "asia", Answer.LOCAL))
                .get(0);

        assertThat(row.unservedMillis()).isEqualTo(3_500);
        assertThat(row.reads())
                .isEqualTo(Map.of(Answer.LOCAL, 2, Answer.PLAIN, 1, Answer.FORWARDED, 1, Answer.WAITED, 1));
    }

    @Test
    void whoIsNotToldByWhomItWasServedSaysNothingOfThat() {
        FaultRow row = rows(
                        FaultKind.JOIN,
                        request(12, 10, "eu", Answer.UNTOLD),
                        request(13, 10, "eu", Answer.REFUSED),
                        request(14, 10, "eu", Answer.UNTOLD),
                        request(15, 0, "eu", Answer.LOCAL))
                .get(0);

        assertThat(row.unservedMillis()).isEqualTo(2_000);
        assertThat(row.reads()).isEqualTo(Map.of(Answer.LOCAL, 1));
    }

    @Test
    void whatClientsOfAnOrdinaryTableGetIsCountedByItself() {
        FaultRow row = rows(
                        FaultKind.CUT,
                        about(Subject.ORDINARY, request(12, 900, "asia", Answer.PLAIN)),
                        about(Subject.ORDINARY, request(12, 10, "asia", Answer.TIMED_OUT)),
                        about(Subject.ORDINARY, request(13, 2_000, "us", Answer.TIMED_OUT)),
                        request(12, 20, "asia", Answer.LOCAL))
                .get(0);

        assertThat(row.requests()).isEqualTo(1);
        assertThat(row.longestMillis()).isEqualTo(20);
        assertThat(row.count(Answer.TIMED_OUT)).isZero();
        assertThat(row.ordinary())
                .as("Cassandra's own at who is cut off left out, as with the others")
                .isEqualTo(new OrdinaryFigures(3, 0, 1, 0, 900));
    }

    private static StockRequest about(Subject about, StockRequest request) {
        return new StockRequest(
                request.startNanos(),
                request.endNanos(),
                request.dc(),
                about,
                request.isRead(),
                request.answer(),
                request.error(),
                request.reason());
    }

    @Test
    void whatTheOperatorDidStandsWithTheFault() {
        List<FaultRow> rows = FaultRow.of(
                List.of(span(FaultKind.RF)),
                List.of(),
                List.of(
                        new OperatorNotes.Note(12_000_000_000L, OperatorNotes.Kind.DEMANDED, "nodetool repair"),
                        new OperatorNotes.Note(13_000_000_000L, OperatorNotes.Kind.BY_HAND, "UPDATE"),
                        new OperatorNotes.Note(21_000_000_000L, OperatorNotes.Kind.BY_HAND, "UPDATE")));

        assertThat(rows.get(0).noted(OperatorNotes.Kind.BY_HAND)).isEqualTo(1);
        assertThat(rows.get(0).noted(OperatorNotes.Kind.DEMANDED)).isEqualTo(1);
        assertThat(rows.get(1).noted(OperatorNotes.Kind.BY_HAND)).isEqualTo(1);
    }
}
