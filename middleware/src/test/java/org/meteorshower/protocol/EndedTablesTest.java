/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A table is disabled on a live cluster: the nodes learn of it one after the other, and meanwhile some serve it and
 * some do not.
 */
class EndedTablesTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();

    private void end(int number) {
        cluster.node(number)
                .step(new Event.TableEnded(
                        Put.TABLE,
                        Set.of(cluster.group()),
                        new LinkedHashSet<>(cluster.group().members())));
    }

    private boolean isEnding(int number) {
        return cluster.node(number).core().view().isEnding(Put.TABLE);
    }

    /**
     * They write it as an ordinary table from then on, or under another name, and whoever did that may come here to
     * read.
     */
    @Test
    void aNodeThatIsLateServesNoCutThatThoseWhoHaveGivenTheTableUpHaveReached() {
        cluster.write(1, "a");
        cluster.run(1_000);
        end(2);
        end(3);
        cluster.run(200);
        long token = cluster.nowMicros;
        cluster.run(5_000);

        assertThat(cluster.node(1).read(token).waits()).isTrue();
    }

    @Test
    void itIsSoAlsoWhereTheNewsThatTheTableIsGivenUpIsLost() {
        cluster.write(1, "a");
        cluster.run(1_000);
        cluster.lose(Message.Tables.class::isInstance);
        end(2);
        end(3);
        cluster.run(200);
        long token = cluster.nowMicros;
        cluster.run(500);

        assertThat(cluster.node(1).read(token).waits()).isTrue();

        cluster.run(10_000);
        assertThat(cluster.node(1).read(token).waits()).isTrue();
    }

    @Test
    void whileOneNodeIsLateTheOthersServeOnWithoutIt() {
        cluster.write(1, "a");
        cluster.run(1_000);
        end(3);
        cluster.run(200);
        long token = cluster.nowMicros;
        cluster.run(200);

        assertThat(cluster.node(1).read(token).value).isEqualTo("a");
    }

    /** The store may get what is announced to nobody before the read of it counts. */
    @Test
    void aReadUnderWayFailsWhenItsTableIsDisabled() {
        cluster.write(1, "a");
        cluster.run(1_000);
        ScriptedNode.Reading reading = cluster.node(1).readByHand(0);
        end(1);
        cluster.node(1).step(new Event.StoreRead(reading.id));

        assertThat(reading.failed.failure()).isEqualTo(Effect.Failure.NOT_READY);
        assertThat(reading.failed.detail()).contains("disabled");
    }

    /** What holds partitions of the table is forgotten with it: then one stamp would seem to be enough. */
    @Test
    void aWriteUnderWayIsNotAcknowledgedAfterItsTableIsDisabled() {
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(1).apply(write.put());
        cluster.node(1).acknowledge(write);
        end(1);
        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.run(100);

        assertThat(write.isDone()).isFalse();
        assertThat(cluster.node(1).effects).contains(new Effect.WriteLost(write.id));
    }

    @Test
    void aWriteThatBeginsAfterItsTableWasDisabledIsRefused() {
        end(1);

        assertThat(cluster.node(1).write("a", 0).refused.failure()).isEqualTo(Effect.Failure.NOT_READY);
    }

    @Test
    void aTableIsOverWhenAllReplicasHaveGivenItUp() {
        cluster.run(100);
        end(1);
        end(2);
        cluster.run(100);
        assertThat(isEnding(1)).isTrue();

        end(3);
        cluster.run(100);
        assertThat(isEnding(1)).isFalse();
        assertThat(isEnding(2)).isFalse();
    }

    /** It may have shown, or told of, what is not in its store yet. It may be down, too. */
    @Test
    void whereAsManyHaveGivenItUpAsAWriteNeedsTheOthersAreWaitedForForTwoSeconds() {
        cluster.run(100);
        end(1);
        cluster.run(2_500);
        assertThat(isEnding(1)).isTrue();

        end(2);
        cluster.run(1_500);
        assertThat(isEnding(1)).isTrue();
        cluster.run(1_000);
        assertThat(isEnding(1)).isFalse();
        assertThat(isEnding(2)).isFalse();
    }

    @Test
    void oneThatIsDownIsNotWaitedFor() {
        cluster.run(100);
        cluster.cutOff(3);
        cluster.run(5_000);
        end(1);
        end(2);
        cluster.run(100);
        assertThat(isEnding(1)).isFalse();
    }

    /**
     * It takes mutations under the other name and tells nobody of them under this one, but others count on its word for
     * this one still.
     */
    @Test
    void whoHasOnlyLeftTheTableForAnotherNameHasNotGivenItUp() {
        cluster.run(100);
        end(1);
        cluster.node(2).step(new Event.TableLeft(Put.TABLE));
        cluster.run(500);
        assertThat(isEnding(1)).isTrue();

        end(2);
        cluster.run(3_000);

        assertThat(isEnding(1)).isFalse();
    }

    @Test
    void whereOneReplicaIsEnoughForAWriteTheTableIsOverAsSoonAsTheOthersWereWaitedFor() {
        ScriptedCluster one = ScriptedCluster.of(3, 1, TestSettings.plain());
        one.node(1).step(new Event.TableEnded(Put.TABLE, Set.of(one.group()), Set.of()));
        one.run(3_000);

        assertThat(one.node(1).core().view().isEnding(Put.TABLE)).isFalse();
    }

    @Test
    void whoHasNotHeardThatTheOthersGaveTheTableUpAsksThem() {
        cluster.run(100);
        cluster.lose(Message.Tables.class::isInstance);
        end(1);
        end(2);
        end(3);
        // As they share nothing any more, they have nothing to tell each other by themselves.
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).step(new Event.PeersChanged(Set.of()));
        }
        cluster.run(1_000);
        assertThat(isEnding(1)).isTrue();

        cluster.heal();
        cluster.run(1_000);

        for (int i = 1; i <= 3; i++) {
            assertThat(isEnding(i)).isFalse();
        }
    }

    @Test
    void aReportThatComesLateTakesNothingBack() {
        cluster.run(100);
        cluster.oneWayMillis(1, 2, 500);
        cluster.run(100); // a report from before is on its way
        cluster.oneWayMillis(1, 2, 0);
        end(2);
        end(3);
        cluster.run(1_000);
        end(1);
        cluster.run(100);

        assertThat(isEnding(1)).isFalse();
    }

    @Test
    void enabledAgainItIsServedAsSoonAsAllHaveReportedIt() {
        for (int i = 1; i <= 3; i++) {
            end(i);
        }
        cluster.run(100);
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).step(new Event.TableEnabled(Put.TABLE, true));
        }
        cluster.run(500);

        cluster.write(1, "b");
        cluster.run(100);
        assertThat(cluster.node(2).read(cluster.nowMicros - 50_000).value).isEqualTo("b");
    }
}
