/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.store.TrackedTables;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.EndingTables;
import org.meteorshower.cassandra.tables.FollowedTables;
import org.meteorshower.cassandra.tables.LiveTables;
import org.meteorshower.cassandra.tables.RequestsUnderWay;
import org.meteorshower.cassandra.tables.RingFollower;
import org.meteorshower.cassandra.tables.TableRepairs;
import org.meteorshower.cassandra.tables.TableSwitch;
import org.meteorshower.cassandra.tables.TableWatcher;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which tables are enabled, and in which epoch this node follows each: by the schema, by the ring, and by what came in
 * unannounced. From the end of its making on, every mutation of an enabled table is announced before it is applied.
 * What it shows is thread-safe.
 */
final class TablesPart implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TablesPart.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;

    /** While requests wait for it. */
    private static final long LOOK_BETWEEN_EVERY_MILLIS = 25;

    final EnabledTables enabled = new EnabledTables();

    /** That are none of a transaction. */
    final RequestsUnderWay requests = new RequestsUnderWay();

    final CoordinatorToken coordinatorToken;
    final EndingTables endings;
    final LiveTables live;
    private final PlacementKeeper keeper;
    final TableSwitch tableSwitch;
    final UnbrokenRuns runs;
    final TableRepairs repairs;

    private final Foundation ground;
    private final MeteorShower meteorShower;
    private final EpochMarks forgotten;
    private final ForeignData foreignData;
    private final NeededHints hints;
    private final TableWatcher watcher;
    final RingFollower follower;
    private final ScheduledExecutorService looks;
    private final OpenParts open = new OpenParts();

    TablesPart(Foundation ground, ProtocolPart protocol) {
        this.ground = ground;
        meteorShower = protocol.meteorShower;
        live = new LiveTables(meteorShower);
        keeper = new PlacementKeeper(ground.self, protocol.placement, meteorShower);
        tableSwitch = new TableSwitch(keeper);
        runs = new UnbrokenRuns(ground.directory());
        forgotten = new EpochMarks(ground.directory(), "forgotten-");
        Forgetting.whatIsNotSo(ground.contents.tables(), runs, protocol.placement, meteorShower, forgotten);
        foreignData = new ForeignData(ground.self, protocol.placement, ground.directory(), enabled, meteorShower);
        Hooks.listen(foreignData);
        looks = Executors.newSingleThreadScheduledExecutor(new NamedThreadFactory("MeteorShower-Tables"));
        open.add(looks::shutdownNow);
        coordinatorToken = new CoordinatorToken(meteorShower.inspect(CoreView::hybridClockMicros));
        endings = new EndingTables(
                name -> meteorShower.inspect(view -> view.isEnding(name)),
                () -> meteorShower.inspect(CoreView::hybridClockMicros),
                coordinatorToken::advanceTo);
        hints = NeededHints.install(ground.self, enabled, protocol.placement);
        watcher = watch(protocol);
        foreignData.recover();
        repairs = BackgroundOpening.make(ground, protocol, enabled, keeper, open);
        follower = new RingFollower(
                ground.self,
                enabled,
                tableSwitch,
                watcher,
                keeper,
                meteorShower,
                protocol.placement,
                foreignData::isSpoiled,
                ground.config.liveMoves(),
                repairs);
    }

    private TableWatcher watch(ProtocolPart protocol) {
        TrackedTables tracked = new TrackedTables();
        Announcing.begin(ground, protocol, enabled, tracked);
        TableWatcher made = new TableWatcher(
                enabled,
                tracked,
                meteorShower,
                keeper,
                forgotten::contains,
                ground.config.automaticBaseline(),
                ground.config.liveMoves(),
                live,
                endings,
                new FollowedTables(ground.directory()),
                requests,
                looks);
        made.listen();
        made.sync();
        made.endDisabled();
        return made;
    }

    /** Whether nothing waits for time to pass. */
    boolean isIdle() {
        return enabled.none() && endings.none();
    }

    /**
     * From now on the node follows the ring, and tidies up, once a second.
     *
     * @param afterwards each time; must not throw
     */
    void lookAround(Runnable afterwards) {
        Repeatedly.run(
                looks,
                "look around",
                () -> {
                    look();
                    afterwards.run();
                },
                LOOK_EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
        Repeatedly.run(
                looks,
                "follow a change of the ring",
                follower::lookBetween,
                LOOK_BETWEEN_EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            if (ground.config.automaticReturn()) {
                meteorShower.comeBack();
            }
            hints.look(meteorShower);
            repairs.lookAtReads();
            follower.look();
            foreignData.tidy();
            forgotten.keepOnly(enabled.declaredIds());
            endings.tidy();
            watcher.tidy();
        } catch (RuntimeException e) {
            log.error("MeteorShower: could not follow the ring; it is tried again", e);
        }
    }

    @Override
    public void close() {
        open.close();
    }
}
