/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a table can be served, and what data that nobody announced does to it. */
class TablesTest {
    private final ScriptedCluster cluster = ScriptedCluster.ofThree();
    private final ScriptedNode node = cluster.node(1);

    private static ScriptedCluster startedWithoutTable() {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).start(Recovery.none(1));
        }
        cluster.run(100);
        return cluster;
    }

    private static void enable(ScriptedCluster cluster, int number, boolean empty) {
        cluster.node(number).step(new Event.TableEnabled(Put.TABLE, empty));
        cluster.run(50);
    }

    @Test
    void aTableThatIsNotEnabledHereIsRefused() {
        ScriptedNode.Reading reading = startedWithoutTable().node(1).read(0);

        assertThat(reading.failed.failure()).isEqualTo(Effect.Failure.NOT_READY);
    }

    @Test
    void aTableIsReadyOnlyWhenAllReplicasHaveReportedIt() {
        ScriptedCluster fresh = startedWithoutTable();
        enable(fresh, 1, true);
        enable(fresh, 2, true);
        ScriptedNode.Reading reading = fresh.node(1).read(0);
        fresh.run(1_000);
        assertThat(reading.waits()).isTrue();
        assertThat(fresh.node(1).core().view().notReady(Put.TABLE, fresh.group()))
                .contains("n3 has not reported");

        enable(fresh, 3, true);

        assertThat(reading.waits()).isFalse();
    }

    /**
     * Nothing covers a cut, so nothing is retired; and since everybody has all of it, nobody can be left behind for it.
     */
    @Test
    void whileABaselineIsToBeConfirmedWritesAreRefusedOverTheLimitOfRecords() {
        ScriptedCluster fresh =
                ScriptedCluster.unstarted(3, 2, TestSettings.plain().maxRecords(20));
        for (int i = 1; i <= 3; i++) {
            fresh.node(i).start(Recovery.none(1));
        }
        for (int i = 1; i <= 3; i++) {
            enable(fresh, i, false);
        }
        for (int i = 0; i < 30; i++) {
            fresh.write(1, "v" + i);
        }
        fresh.run(60_000);
        ScriptedNode.Write refused = fresh.node(1).write("one too many", 0);

        assertThat(fresh.node(1).core().view().recordCount()).isGreaterThan(20);
        assertThat(refused.refused.failure()).isEqualTo(Effect.Failure.OVERLOADED);
        assertThat(refused.refused.detail()).contains("baseline");

        for (int i = 1; i <= 3; i++) {
            fresh.node(i).step(new Event.BaselineConfirmed(Put.TABLE));
        }
        fresh.run(5_000);
        assertThat(fresh.node(1).core().view().recordCount()).isLessThanOrEqualTo(20);
        assertThat(fresh.node(1).write("now it goes", 0).refused).isNull();
    }

    @Test
    void aTableThatHeldDataIsReadyOnlyWhenEveryBaselineIsConfirmed() {
        ScriptedCluster fresh = startedWithoutTable();
        for (int i = 1; i <= 3; i++) {
            enable(fresh, i, false);
        }
        assertThat(fresh.node(1).core().view().notReady(Put.TABLE, fresh.group()))
                .contains("full repair");

        for (int i = 1; i <= 3; i++) {
            fresh.node(i).step(new Event.BaselineConfirmed(Put.TABLE));
            fresh.run(50);
        }

        assertThat(fresh.node(1).core().view().notReady(Put.TABLE, fresh.group()))
                .isNull();
        assertThat(fresh.node(1).read(0).waits()).isFalse();
    }

    @Test
    void readsUseNoCutFromBeforeTheLastReplicaTrackedTheTable() {
        ScriptedCluster fresh = startedWithoutTable();
        enable(fresh, 1, true);
        enable(fresh, 2, true);
        fresh.run(500);
        long before = fresh.nowMicros;
        enable(fresh, 3, true);

        assertThat(fresh.node(1).read(0).cutMicros()).isGreaterThan(before);
    }

    @Test
    void whatWasAnnouncedOfATableBeforeItWasEnabledHereIsAskedForAgain() {
        ScriptedCluster fresh = startedWithoutTable();
        enable(fresh, 2, true);
        enable(fresh, 3, true);
        Put put = fresh.node(2).write("a", 0).put();
        fresh.node(2).apply(put);
        fresh.node(3).apply(put);
        fresh.run(50);

        enable(fresh, 1, true);

        assertThat(fresh.node(1).core().view().recordCount()).isEqualTo(1);
    }

    @Test
    void aTableThatCouldBeServedBeforeTheRestartIsServedAfterItThoughAReplicaCannotBeHeard() {
        cluster.write(1, "a");
        cluster.run(1_000);
        node.crash();
        cluster.cutOff(3);
        node.restart();
        cluster.run(100);

        assertThat(node.read(0).value).isEqualTo("a");
    }

    @Test
    void aMutationOfATableThatIsNotEnabledIsNotTracked() {
        ScriptedNode one = startedWithoutTable().node(1);

        assertThat(one.apply(Put.of(100, "a"))).isNull();
        assertThat(one.core().view().recordCount()).isZero();
    }

    @Test
    void aDisabledTableIsForgottenAlsoByTheJournal() {
        node.apply(node.write("a", 0).put());
        assertThat(node.journaled()).hasSize(1);

        node.step(new Event.TableDisabled(Put.TABLE));

        assertThat(node.core().view().recordCount()).isZero();
        assertThat(node.journaled()).isEmpty();
        assertThat(node.read(0).failed.failure()).isEqualTo(Effect.Failure.NOT_READY);
    }

    @Test
    void aDisabledTableStaysDisabledOverARestart() {
        node.read(0);
        node.step(new Event.TableDisabled(Put.TABLE));
        node.crash();
        node.restart();
        cluster.run(200);

        assertThat(node.read(0).failed.failure()).isEqualTo(Effect.Failure.NOT_READY);
    }

    // --- partitions that move ------------------------------------------------------------------------------------

    private static void move(ScriptedCluster cluster, int number) {
        cluster.node(number).step(new Event.TableMoved(Put.TABLE, null, false));
        cluster.run(50);
    }

    @Test
    void aTableThatMovedIsNotServedUntilEveryReplicasBaselineIsKnown() {
        ScriptedCluster moved = startedWithoutTable();
        for (int i = 1; i <= 3; i++) {
            move(moved, i);
        }
        assertThat(moved.node(1).core().view().reportedBy(Put.TABLE)).hasSize(2);
        for (int i = 1; i <= 3; i++) {
            assertThat(moved.node(1).read(0).waits()).isTrue();
            moved.node(i).step(new Event.BaselineConfirmed(Put.TABLE));
            moved.run(50);
        }

        assertThat(moved.node(1).read(0).waits()).isFalse();
    }

    @Test
    void aReplicaOfATableThatMovedTakesNoWriteBeforeItsBaselineIsKnown() {
        ScriptedCluster moved = startedWithoutTable();
        move(moved, 1);
        ScriptedNode.Write early = moved.node(1).write("early", 0);
        assertThat(early.refused).isNull();
        assertThat(early.put).isNull(); // it waits

        moved.node(1).step(new Event.BaselineConfirmed(Put.TABLE));
        moved.run(20);

        assertThat(moved.node(1).all(Effect.WriteStamped.class))
                .singleElement()
                .satisfies(stamped -> assertThat(stamped.writeId()).isEqualTo(early.id));
        assertThat(moved.node(1).write("later", 0).put).isNotNull();
    }

    @Test
    void aReplicaOfATableThatMovedVouchesForNoWriteBeforeItsBaselineIsKnown() {
        ScriptedCluster moved = startedWithoutTable();
        moved.node(1).step(new Event.TableEnabled(Put.TABLE, true));
        move(moved, 2);
        ScriptedNode.Write write = moved.node(1).write("a", 0);
        moved.node(2).apply(write.put());
        moved.node(2).acknowledge(write);

        assertThat(moved.sent(2, 1, Message.WriteAck.class)).isEmpty();
    }

    @Test
    void readsUseNoCutFromBeforeTheBaselineWasKnown() {
        ScriptedCluster moved = startedWithoutTable();
        for (int i = 1; i <= 3; i++) {
            move(moved, i);
        }
        moved.run(500);
        long before = moved.nowMicros;
        for (int i = 1; i <= 3; i++) {
            moved.node(i).step(new Event.BaselineConfirmed(Put.TABLE));
            moved.run(50);
        }

        assertThat(moved.node(1).read(0).cutMicros()).isGreaterThan(before);
    }

    @Test
    void noReadIsServedUnderANameThatThisNodeHasLeft() {
        cluster.write(1, "old");
        cluster.run(1_000);
        ScriptedNode.Reading offered = node.readByHand(0);
        node.step(new Event.TableLeft(Put.TABLE));
        node.store.apply(Put.of(cluster.nowMicros, "stamped under another name"));

        assertThat(node.finish(offered)).isFalse();
        assertThat(node.read(0).offer).isNull();
        cluster.run(2_100);
        assertThat(node.read(0).waits()).isTrue();
    }

    @Test
    void whatWasStampedUnderANameThatThisNodeHasLeftIsStillTold() {
        Put put = node.write("a", 0).put();
        node.apply(put);
        node.step(new Event.TableLeft(Put.TABLE));
        cluster.run(100);

        assertThat(cluster.sent(1, 2, Message.StatusMessage.class)).anyMatch(message -> message.payload().stream()
                .anyMatch(announcement -> announcement.id().equals(put.id())));
    }

    @Test
    void aMutationThatComesBeforeTheBaselineIsKnownIsNotKeptApartFromTheStore() {
        ScriptedCluster moved = startedWithoutTable();
        Put late = Put.of(moved.nowMicros - 1_000_000, "held by the others since before");
        moved.node(1).store.apply(late);
        moved.node(3).store.apply(late);
        for (int i = 1; i <= 3; i++) {
            move(moved, i);
        }
        moved.node(1).step(new Event.BaselineConfirmed(Put.TABLE));
        moved.node(3).step(new Event.BaselineConfirmed(Put.TABLE));
        moved.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        moved.node(2).apply(late); // a hint; what it would be kept apart with is the content without it
        moved.node(2).step(new Event.BaselineConfirmed(Put.TABLE));
        moved.run(100);

        ScriptedNode.Reading seen = moved.node(1).read(0);
        assertThat(seen.value).isEqualTo("held by the others since before");
        assertThat(moved.node(2).read(seen.cutMicros()).offer).isNull(); // until it is visible at its cut
    }

    @Test
    void noReplicaReadsBelowATimestampThatMayBeInAnothersBaseline() {
        ScriptedCluster moved = startedWithoutTable();
        moved.node(2).step(new Event.TableEnabled(Put.TABLE, true));
        Put ahead = Put.of(moved.nowMicros + 500_000, "from a clock that is ahead");
        moved.node(2).apply(ahead); // the stamp is as late, the clock may be a little behind it
        moved.node(2).step(new Event.TableDisabled(Put.TABLE));
        for (int i = 1; i <= 3; i++) {
            move(moved, i);
        }
        moved.node(1).store.apply(ahead); // by repair
        moved.node(3).store.apply(ahead);
        for (int i = 1; i <= 3; i++) {
            moved.node(i).step(new Event.BaselineConfirmed(Put.TABLE));
        }
        moved.run(20);

        ScriptedNode.Reading reading = moved.node(1).read(0);
        moved.run(1_000);
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(ahead.id().timestampMicros());
    }

    @Test
    void whatANodeTakesOfPartitionsThatAreMovingThereItsBaselineIsReadAboveOf() {
        ScriptedCluster moved = startedWithoutTable();
        SequentialReads joining =
                new SequentialReads(NodeId.of(9), TestSettings.plain().build(), moved.placement(), Recovery.none(1));
        Now now = moved.node(1).now();
        joining.step(new Event.TableEnabled(Put.TABLE, true), now);
        Put ahead = Put.of(moved.nowMicros + 200_000, "while it joins");
        assertThat(joining.step(new Event.Intended(ahead, null, 0, 0), now)).contains(new Effect.AlreadyApplied());
        joining.step(new Event.TableDisabled(Put.TABLE), now);
        joining.step(new Event.TableMoved(Put.TABLE, null, false), now);

        assertThat(joining.step(new Event.BaselineConfirmed(Put.TABLE), now))
                .filteredOn(effect -> effect instanceof Effect.JournalTable)
                .singleElement()
                .satisfies(effect -> assertThat(((Effect.JournalTable) effect).sinceMicros())
                        .isGreaterThanOrEqualTo(ahead.id().timestampMicros()));
    }

    // --- data that nobody announced ------------------------------------------------------------------------------

    @Test
    void afterForeignDataCameInNoReadIsServedUntilEveryPeerHasBegunANewStream() {
        node.read(0);
        node.step(new Event.ForeignData(Put.TABLE));

        ScriptedNode.Reading reading = node.read(0);
        assertThat(reading.waits()).isTrue();
        long arrived = cluster.nowMicros;
        cluster.run(100);

        assertThat(reading.waits()).isFalse();
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(arrived);
    }

    @Test
    void aPeerThatSharesOtherTablesAloneIsNotWaitedForAfterForeignData() {
        java.util.Set<NodeId> peers =
                new java.util.LinkedHashSet<>(cluster.group().members());
        peers.add(NodeId.of(9)); // of an earlier name of the table, say, and dead since
        node.step(new Event.PeersChanged(peers));
        node.step(new Event.ForeignData(Put.TABLE));
        ScriptedNode.Reading reading = node.read(0);
        cluster.run(1_000);

        assertThat(reading.waits()).isFalse();
    }

    @Test
    void whereAPeerGoesByALaterNameAlreadyNothingIsServedAfterForeignDataCameIn() {
        cluster.node(2).step(new Event.TableLeft(Put.TABLE));
        cluster.run(1_500);
        assertThat(node.read(0).waits()).isFalse();

        node.step(new Event.ForeignData(Put.TABLE)); // of what the peer has taken since, perhaps
        ScriptedNode.Reading reading = node.read(0);
        cluster.run(3_000);
        assertThat(reading.value).isNull();
        assertThat(node.core().view().notReady(Put.TABLE, cluster.group()))
                .contains(NodeId.of(2).toString());
    }

    @Test
    void whileAPeerDoesNotVouchForWhatItHoldsNothingIsServedAfterForeignDataCameIn() {
        cluster.node(2).step(new Event.TableDisabled(Put.TABLE)); // forgets what it has stamped, and follows once more
        cluster.node(2).step(new Event.TableMoved(Put.TABLE, null, false));
        cluster.run(1_500);
        assertThat(node.read(0).waits()).isFalse();

        node.step(new Event.ForeignData(Put.TABLE)); // of what the peer had stamped, perhaps
        ScriptedNode.Reading reading = node.read(0);
        cluster.run(3_000);
        assertThat(reading.value).isNull();
        assertThat(node.core().view().notReady(Put.TABLE, cluster.group()))
                .contains("from " + NodeId.of(2), "confirm the baseline");

        long confirmed = cluster.nowMicros;
        cluster.node(2).step(new Event.BaselineConfirmed(Put.TABLE));
        cluster.run(1_500);
        ScriptedNode.Reading after = node.read(0);
        assertThat(after.waits()).isFalse();
        assertThat(after.cutMicros()).isGreaterThanOrEqualTo(confirmed);
    }

    @Test
    void whoHasForgottenWhatItStampedDoesNotCallItDoneWith() {
        ScriptedNode two = cluster.node(2);
        two.step(new Event.TableDisabled(Put.TABLE));
        Put put = Put.of(cluster.nowMicros, "stamped there before");
        two.receive(node.id, new Message.Fetch(cluster.nowMicros, put.key(), put.id()));
        two.step(new Event.TableMoved(Put.TABLE, null, false));
        two.receive(node.id, new Message.Fetch(cluster.nowMicros, put.key(), put.id()));
        assertThat(cluster.sent(2, 1, Message.Retired.class)).isEmpty();

        two.step(new Event.BaselineConfirmed(Put.TABLE)); // now every replica has it
        two.receive(node.id, new Message.Fetch(cluster.nowMicros, put.key(), put.id()));
        assertThat(cluster.sent(2, 1, Message.Retired.class)).hasSize(1);
    }

    @Test
    void aPeerThatLeftTheNameAfterItWasAskedDoesNotKeepAnybodyFromServing() {
        node.step(new Event.ForeignData(Put.TABLE));
        cluster.run(100);
        cluster.node(2).step(new Event.TableLeft(Put.TABLE));
        cluster.run(1_500);

        assertThat(node.read(0).waits()).isFalse();
    }

    @Test
    void noReadIsServedBetweenTheNewStreamsAndTheLookAtWhatTheyTell() {
        ScriptedNode.Write write = node.write("a", 0);
        cluster.node(2).apply(write.put());
        cluster.cut(1, 2); // the first knows nothing of it yet
        node.read(0);
        node.store.apply(write.put()); // a repair brings it
        node.step(new Event.ForeignData(Put.TABLE));
        cluster.heal();
        node.step(new Event.PeersChanged(
                new java.util.LinkedHashSet<>(cluster.group().members())));
        cluster.lose(message -> message instanceof Message.StatusMessage);
        cluster.deliver(); // the streams begin; no tick has passed

        assertThat(node.read(0).value).isNotEqualTo("a");
    }

    @Test
    void anAnnouncedMutationThatCameWithForeignDataIsNotShownBeforeItIsVisible() {
        node.read(0);
        Put put = cluster.node(2).write("undecided", 0).put();
        cluster.node(2).apply(put);
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        node.store.apply(put);
        node.step(new Event.ForeignData(Put.TABLE));
        ScriptedNode.Reading reading = node.read(0);
        cluster.run(1_000);

        assertThat(reading.value).isNull();
    }

    @Test
    void aReadOfferedBeforeForeignDataCameInIsNotConfirmedAfterIt() {
        cluster.write(1, "a");
        cluster.run(1_000);
        ScriptedNode.Reading reading = node.readByHand(0);

        node.step(new Event.ForeignData(Put.TABLE));

        assertThat(node.finish(reading)).isFalse();
    }

    @Test
    void aReadOfferedBeforeForeignDataBeganToComeInIsNotConfirmedAfterIt() {
        cluster.write(1, "a");
        cluster.run(1_000);
        ScriptedNode.Reading reading = node.readByHand(0);

        node.step(new Event.ForeignDataComing(Put.TABLE));

        assertThat(node.finish(reading)).isFalse();
    }

    @Test
    void whileForeignDataComesInNoReadIsServed() {
        node.read(0);
        node.step(new Event.ForeignDataComing(Put.TABLE));
        node.step(new Event.ForeignDataComing(Put.TABLE));
        cluster.run(1_000);
        node.step(new Event.ForeignData(Put.TABLE));
        cluster.run(1_000);
        assertThat(node.read(0).waits()).isTrue();

        node.step(new Event.ForeignData(Put.TABLE)); // and the other
        cluster.run(100);

        assertThat(node.read(0).waits()).isFalse();
    }

    @Test
    void historyTakenBeforeForeignDataCameInIsNotUsedAfterIt() {
        cluster.write(1, "old");
        cluster.run(1_000);
        Put inFlight = node.write("in flight", 0).put();
        node.apply(inFlight);
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        Put missed = Put.of(inFlight.id().timestampMicros() - 1, "missed, and repaired");
        node.store.apply(missed);
        node.step(new Event.ForeignData(Put.TABLE));
        ScriptedNode.Reading reading = node.read(0);
        cluster.run(300);

        assertThat(reading.value).isNull(); // neither "old" nor the one in flight
    }

    @Test
    void dataThatCameFromAPeerThatIsSilentNowIsNotServed() {
        node.read(0);
        Put put = cluster.node(3).write("only there", 0).put();
        cluster.cutOff(3);
        cluster.node(3).apply(put);
        node.store.apply(put);
        node.step(new Event.ForeignData(Put.TABLE));
        cluster.run(5_000);

        assertThat(node.read(0).value).isNull();
    }

    @Test
    void aReadThatOnlyAPersonCanHelpIsRefusedAtOnceAndSaysHow() {
        node.step(new Event.TableDisabled(Put.TABLE));
        node.step(new Event.TableEnabled(Put.TABLE, false));

        assertThat(node.read(0).failed.failure()).isEqualTo(Effect.Failure.NOT_READY);
        assertThat(node.read(0).failed.detail()).contains("run a full repair", "confirm the baseline");
    }

    /** A node that has just started does not take clients before that is over. */
    @Test
    void whatOthersTellOfAndThisNodeHasNotIsLackingUntilTheySettleIt() {
        cluster.run(1_500);
        cluster.lose(message -> message instanceof Message.Settle);
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(1).apply(write.put());
        cluster.node(2).apply(write.put());
        cluster.run(500);
        assertThat(cluster.node(3).core().view().lacking(10, 1_000_000_000)).isZero();

        cluster.run(1_500);
        assertThat(cluster.node(3).core().view().lacking(10, 1_000_000_000)).isEqualTo(1);
        assertThat(cluster.node(3).core().view().lacking(10, 3_000_000_000L)).isZero(); // heard of since
        assertThat(cluster.node(2).core().view().lacking(10, 0)).isZero();

        cluster.heal();
        cluster.run(10_000);
        assertThat(cluster.node(3).core().view().lacking(10, 0)).isZero();
    }

    // --- enabled while it holds data, and brought together by the nodes ---------------------------------------------

    private static ScriptedCluster filled(ScriptedCluster cluster, boolean live) {
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).start(Recovery.none(1));
        }
        cluster.run(100);
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).step(new Event.TableFilled(Put.TABLE, live));
        }
        cluster.run(100);
        return cluster;
    }

    private static ScriptedCluster filled(boolean live) {
        return filled(ScriptedCluster.unstarted(3, 2, TestSettings.plain()), live);
    }

    private static boolean isReadPlainly(ScriptedCluster cluster, int number) {
        return cluster.node(number).core().view().plainReads(Put.TABLE).areAllowed();
    }

    private static String whyNotReady(ScriptedCluster cluster, int number) {
        return String.valueOf(cluster.node(number).core().view().notReady(Put.TABLE, cluster.group()));
    }

    @Test
    void aTableThatIsFilledIsReadPlainlyUntilAllHaveBeenRepairedAndThenServed() {
        ScriptedCluster filled = filled(true);
        for (int repaired = 1; repaired <= 2; repaired++) {
            filled.node(repaired).step(new Event.TableRepaired(Put.TABLE));
            filled.run(200);
            for (int i = 1; i <= 3; i++) {
                assertThat(isReadPlainly(filled, i)).isTrue();
            }
        }
        assertThat(whyNotReady(filled, 1)).contains("waits for that of n3", "Cassandra's own");

        filled.node(3).step(new Event.TableRepaired(Put.TABLE));
        filled.run(500);
        for (int i = 1; i <= 3; i++) {
            assertThat(isReadPlainly(filled, i)).isFalse();
            assertThat(whyNotReady(filled, i)).isEqualTo("null");
        }
        assertThat(filled.node(1).read(0).waits()).isFalse();
    }

    @Test
    void aNodeThatMayHaveVouchedForItBeforeIsNotReadPlainly() {
        ScriptedCluster filled = filled(false);

        assertThat(isReadPlainly(filled, 1)).isFalse();
        assertThat(filled.node(1).core().view().lacksData(Put.TABLE, filled.group()))
                .isTrue();
        assertThat(filled.node(1).read(0).waits()).isTrue();
    }

    /** What a plain read has shown may have been stamped by a clock that is ahead of this node's. */
    @Test
    void aNodeVouchesForItOnceItHasHeardAllOthersAfterItsLastPlainRead() {
        ScriptedCluster filled = filled(true);
        filled.node(1).step(new Event.TableRepaired(Put.TABLE));
        filled.node(2).step(new Event.TableRepaired(Put.TABLE));
        filled.run(200);
        filled.lose(message -> message instanceof Message.Subscribe);
        filled.node(3).step(new Event.TableRepaired(Put.TABLE));
        filled.run(500);
        for (int i = 1; i <= 3; i++) {
            assertThat(isReadPlainly(filled, i)).isFalse();
            assertThat(filled.node(i).core().view().hasBaseline(Put.TABLE)).isFalse();
        }

        filled.heal();
        filled.run(1_500);
        for (int i = 1; i <= 3; i++) {
            assertThat(filled.node(i).core().view().hasBaseline(Put.TABLE)).isTrue();
        }
    }

    @Test
    void aRestartGoesOnWithPlainReadsUntilItIsVouchedFor() {
        ScriptedCluster filled = filled(true);
        filled.node(1).restart();
        filled.node(1).step(new Event.TableFilled(Put.TABLE, false)); // which it followed before
        assertThat(isReadPlainly(filled, 1)).isTrue();

        filled.run(100);
        for (int i = 1; i <= 3; i++) {
            filled.node(i).step(new Event.TableRepaired(Put.TABLE));
        }
        filled.run(500);
        assertThat(filled.node(1).core().view().hasBaseline(Put.TABLE)).isTrue();
        filled.node(1).restart();
        assertThat(isReadPlainly(filled, 1)).isFalse();
    }

    /** Else a table that takes hours would fill what records may take, and its writes be refused. */
    @Test
    void whileATableIsFilledWhatAllHaveIsForgotten() {
        ScriptedCluster filled =
                filled(ScriptedCluster.unstarted(3, 2, TestSettings.plain().maxRecords(20)), true);
        for (int i = 0; i < 60; i++) {
            filled.write(1 + i % 3, "v" + i);
            filled.run(100);
        }
        filled.run(2_000);

        assertThat(filled.node(1).core().view().recordCount()).isLessThan(20);
        assertThat(filled.node(1).write("one more", 0).refused).isNull();
    }

    @Test
    void aNodeThatCameBackWithoutItsJournalCountsAgainOnceItsBaselineIsConfirmed() {
        cluster.run(1_500);
        cluster.cut(1, 3); // the third hears of the write from the second alone
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.StatusMessage);
        cluster.node(1).apply(write.put());
        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.deliver();
        assertThat(write.isDone()).isTrue();

        cluster.node(2).crash();
        cluster.node(2).start(Recovery.none(2));
        cluster.node(2).step(new Event.TableEnabled(Put.TABLE, false));
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        cluster.run(500);
        ScriptedNode.Reading tooEarly = cluster.node(3).read(write.tokenMicros);
        cluster.run(1_000);
        assertThat(tooEarly.waits()).isTrue();

        cluster.node(2).step(new Event.BaselineConfirmed(Put.TABLE));
        ScriptedNode.Reading stillTooEarly = cluster.node(3).read(write.tokenMicros);
        cluster.run(1_500);
        assertThat(stillTooEarly.waits()).isTrue(); // what it stamped and forgot is not stamped again yet

        cluster.heal();
        cluster.cut(1, 3);
        cluster.run(3_000);
        ScriptedNode.Reading late = cluster.node(3).read(write.tokenMicros);
        cluster.run(1_000);
        assertThat(late.value).isEqualTo("a");
    }
}
