/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Update;

/** Three replicas, w = 2; the checker is node 0's. Times are microseconds; a mutation's digest is its value. */
class OnlineCheckerTest {
    private static final NodeId SELF = NodeId.of(0);
    private static final NodeId ONE = NodeId.of(1);
    private static final NodeId TWO = NodeId.of(2);
    private static final ReplicaGroup GROUP = ReplicaGroup.majority(SELF, ONE, TWO);
    private static final PartitionKey KEY = new PartitionKey(new UUID(0, 1), new byte[] {7});
    private static final long ROW = 5;
    private static final CellName CELL = new CellName(ROW, 1);
    private static final CheckLimits LIMITS = new CheckLimits(1_000, 4, 8, 8, 16);

    private OnlineChecker checker = checkerFrom(0);
    private long nanos;

    private static OnlineChecker checkerFrom(long unseenUpToMicros) {
        return new OnlineChecker(LIMITS, update -> ((Write) update).written(), unseenUpToMicros);
    }

    @Test
    void aReadOfTheLatestVisibleWriteIsJudgedRight() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        read(130, 100L);

        assertFigures(1, 0, 0);
    }

    @Test
    void aReadThatLacksAVisibleWriteIsAViolation() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        stamped(200, SELF, 210);
        stamped(200, TWO, 220);
        read(230, 100L);

        assertFound(Violation.Kind.MISSING_WRITE);
        assertThat(checker.violations().get(0).text()).contains("cut 230", "mutation 200", "n0: 210", "n2: 220");
    }

    @Test
    void aReadThatFindsNothingWhereAWriteIsVisibleIsAViolation() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        read(130, null);

        assertFound(Violation.Kind.MISSING_WRITE);
    }

    @Test
    void aWriteThatOneReplicaHasStampedMayBeMissing() {
        stamped(100, SELF, 110);
        read(130, null);

        assertFigures(0, 1, 0);
    }

    @Test
    void aReadOfAWriteThatTooFewHadStampedByTheCutIsAViolation() {
        read(115, 100L);
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        stamped(100, TWO, 121);

        assertFound(Violation.Kind.SHOWN_TOO_EARLY);
    }

    @Test
    void whatTwoStampsSayOfAnEarlyReadIsNotDecidedWhileTheThirdIsUnknown() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        read(115, 100L);

        assertFigures(0, 1, 0);
    }

    @Test
    void stampsOfAMutationThatMayHaveBeenStampedBeforeSayNothingOfEarlyReads() {
        checker = checkerFrom(100);
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        stamped(100, TWO, 121);
        read(115, 100L);

        assertFigures(0, 1, 0);
    }

    @Test
    void afterSomethingWasNotSeenRepeatedStampsSayNothingOfEarlyReads() {
        checker.saw(new Observation.Unseen(KEY.table(), 150), nanos);
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        stamped(100, TWO, 121);
        read(115, 100L);

        assertFigures(0, 1, 0);
    }

    @Test
    void whatMayHaveBeenDeletedUnseenMayBeMissing() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        checker.saw(new Observation.Unseen(null, 150), nanos);
        read(130, null);

        assertFigures(0, 1, 0);
    }

    @Test
    void whatAMutationOfAWholeRowHidesMayBeMissing() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        checker.saw(
                new Observation.Stamped(
                        KEY, GROUP, new MutationId(125, 0), SELF, 126, new Write(125, new WrittenCells(Map.of(), 125))),
                nanos);
        read(130, null);

        assertFigures(0, 1, 0);
    }

    @Test
    void aReadBelowItsTokenIsAViolation() {
        checker.saw(new Observation.Answered(answer(131, 130, null)), nanos);

        assertFound(Violation.Kind.BELOW_TOKEN);
    }

    @Test
    void ofTwoReadsTheOneAtTheLaterCutMayNotShowTheOlderVersion() {
        read(130, 90L);
        read(140, 80L);

        assertFound(Violation.Kind.WENT_BACK);
    }

    @Test
    void anOlderVersionAtAnEarlierCutIsFine() {
        read(140, 90L);
        read(130, 80L);

        assertFigures(0, 0, 2);
    }

    @Test
    void aWriteAcknowledgedAtATokenThatDoesNotShowItIsAViolation() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        stamped(100, TWO, 121);
        checker.saw(new Observation.Acknowledged(KEY, 100, 115), nanos);

        assertFound(Violation.Kind.ACKNOWLEDGED_TOO_EARLY);
    }

    @Test
    void aWriteAcknowledgedAtATokenThatShowsALaterOneIsFine() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        stamped(100, TWO, 121);
        stamped(105, SELF, 111);
        stamped(105, ONE, 112);
        checker.saw(new Observation.Acknowledged(KEY, 100, 115), nanos);

        assertFigures(0, 0, 0);
    }

    @Test
    void aStampBelowItsTimestampIsAViolation() {
        stamped(100, ONE, 99);

        assertFound(Violation.Kind.STAMPED_BELOW_TIMESTAMP);
    }

    @Test
    void whatAWriteLeftIsRememberedWhenItsStampsAreNot() {
        stamped(100, SELF, 110);
        stamped(100, ONE, 120);
        nanos += 2_000;
        checker.advance(nanos);
        read(500, 100L);
        assertFigures(1, 0, 0);

        read(501, null);
        assertFound(Violation.Kind.MISSING_WRITE);
    }

    @Test
    void whatThereIsNoRoomForIsNotJudgedAndCounted() {
        for (int i = 0; i < 10; i++) {
            checker.saw(new Observation.Answered(answer(0, 130 + i, null)), nanos);
        }
        finish();

        assertThat(checker.figures().overflowed()).isEqualTo(2);
        assertThat(checker.figures().violations()).isZero();
    }

    @Test
    void aPartitionThatFellOutOfTheWindowIsNotJudgedByItsLaterStampsAlone() {
        stamped(100, SELF, 110);
        for (int other = 0; other < 4; other++) {
            PartitionKey key = new PartitionKey(new UUID(0, 1), new byte[] {(byte) (10 + other)});
            checker.saw(new Observation.Stamped(key, GROUP, new MutationId(50, 1), ONE, 60, null), nanos);
        }
        stamped(100, SELF, 310);
        stamped(100, ONE, 320);
        stamped(100, TWO, 330);
        read(200, 100L);

        assertFigures(0, 1, 0);
    }

    private void stamped(long timestampMicros, NodeId by, long appliedMicros) {
        Write write = new Write(
                timestampMicros, new WrittenCells(Map.of(CELL, version(timestampMicros)), WrittenCells.HIDES_NOTHING));
        checker.saw(
                new Observation.Stamped(KEY, GROUP, write.id(), by, appliedMicros, by.equals(SELF) ? write : null),
                nanos);
    }

    private static Version version(long timestampMicros) {
        return new Version(timestampMicros, timestampMicros, true);
    }

    private void read(long cutMicros, @Nullable Long timestampMicros) {
        checker.saw(new Observation.Answered(answer(0, cutMicros, timestampMicros)), nanos);
    }

    private static Answer answer(long tokenMicros, long cutMicros, @Nullable Long timestampMicros) {
        return new Answer(
                KEY,
                tokenMicros,
                cutMicros,
                timestampMicros == null ? Map.of() : Map.of(CELL, version(timestampMicros)),
                Set.of(ROW),
                null);
    }

    private void finish() {
        checker.finish();
    }

    private void assertFigures(long judged, long undecided, long unknown) {
        finish();
        assertThat(checker.violations()).isEmpty();
        assertThat(checker.figures()).isEqualTo(new CheckFigures(judged, undecided, unknown, 0, 0));
    }

    private void assertFound(Violation.Kind kind) {
        finish();
        assertThat(checker.violations()).extracting(Violation::kind).containsExactly(kind);
        assertThat(checker.figures().violations()).isEqualTo(1);
    }

    /** A mutation of one row. */
    private record Write(long timestampMicros, WrittenCells written) implements Update {
        @Override
        public PartitionKey key() {
            return KEY;
        }

        @Override
        public MutationId id() {
            return new MutationId(timestampMicros, timestampMicros);
        }

        @Override
        public long oldestTimestampMicros() {
            return timestampMicros;
        }

        @Override
        public long shape() {
            return 1;
        }

        @Override
        public long row() {
            return ROW;
        }

        @Override
        public int sizeBytes() {
            return 64;
        }
    }
}
