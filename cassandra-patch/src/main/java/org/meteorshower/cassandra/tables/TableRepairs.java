/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.background.Background;
import org.meteorshower.cassandra.background.Progress;
import org.meteorshower.cassandra.placement.PlacedTable;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.PrimaryRanges;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Question;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has what this node holds of a table repaired, where that is its next step ({@code MoveSteps.Step.REPAIR}), and
 * vouches for it then. What it gained when partitions moved it repairs by itself. All that it holds it repairs together
 * with the other replicas: each its own ranges, once for all ({@link SharedTable}). Nothing blocks while others are
 * waited for.
 *
 * <p>{@link #due} and the looks are for one thread; repairs run on another. The rest is thread-safe.
 */
public final class TableRepairs {
    private static final Logger log = LoggerFactory.getLogger(TableRepairs.class);

    private static final int LOOKS_BEFORE_ANOTHER = 3;

    private final NodeId self;
    private final PlacementKeeper keeper;
    private final RingPlacement placement;
    private final MeteorShower meteorShower;
    private final Background background;
    private final RepairsElsewhere elsewhere;
    private final AtomicBoolean repairing = new AtomicBoolean();

    /** By the table's name; those that are followed. */
    private final Map<UUID, SharedTable> shared = new ConcurrentHashMap<>();

    private volatile int looksToRepair;

    public TableRepairs(
            NodeId self,
            PlacementKeeper keeper,
            RingPlacement placement,
            MeteorShower meteorShower,
            Background background,
            RepairsElsewhere elsewhere) {
        this.self = self;
        this.keeper = keeper;
        this.placement = placement;
        this.meteorShower = meteorShower;
        this.background = background;
        this.elsewhere = elsewhere;
    }

    /** Once a second: how fast repairs go depends on how clients' reads do. */
    public void lookAtReads() {
        background.look();
    }

    /**
     * Once a second, while tables are enabled.
     *
     * @param followed the names of all tables that this node follows
     */
    void look(Set<UUID> followed) {
        looksToRepair = Math.max(0, looksToRepair - 1);
        shared.keySet().retainAll(followed);
        shared.forEach((name, together) -> together.isAt(background.progressOf(name)));
    }

    /**
     * Repairs go by the ring as it is: one that has changed again since the epoch began, or does so during the repair,
     * is another's. Who has vouched for the epoch would not have what others of its replicas hold.
     */
    void due(PlacedTable place) {
        TableMetadata table = Schema.instance.getTableMetadata(place.table());
        if (table == null || looksToRepair > 0 || !keeper.isRingNow(place)) {
            return;
        }
        List<Range<Token>> gained = gained(place);
        if (gained.isEmpty()) {
            SharedTable together = together(table, place);
            if (together != null) {
                goOn(table, together);
            }
        } else {
            begin(table, place, () -> gained, succeeded -> {
                if (succeeded) {
                    repaired(table, place);
                }
            });
        }
    }

    /** What this node holds since the table's partitions moved; none: all that it holds. */
    private List<Range<Token>> gained(PlacedTable place) {
        UUID before = carriedFrom(place.id());
        return before == null ? List.of() : placement.gained(before, place.id(), self);
    }

    private @Nullable UUID carriedFrom(UUID name) {
        return meteorShower
                .inspect(view -> Optional.ofNullable(view.carriedFrom(name)))
                .orElse(null);
    }

    private @Nullable SharedTable together(TableMetadata table, PlacedTable place) {
        SharedTable before = shared.get(place.id());
        if (before != null && !before.isOver()) {
            return before;
        }
        if (before != null && before.isJustOver()) {
            return null; // the core has not taken it in yet
        }
        PrimaryRanges ranges = PrimaryRanges.of(table, self);
        if (ranges == null || !keeper.isRingStill(place)) {
            return null;
        }
        SharedTable begun = new SharedTable(place, self, ranges);
        shared.put(place.id(), begun);
        return begun;
    }

    private void goOn(TableMetadata table, SharedTable together) {
        together.ask(elsewhere);
        switch (together.next(PlacementKeeper::isUp)) {
            case OWN -> begin(table, together.place(), () -> beginOwn(together), together::ownEnded);
            case OTHERS -> begin(table, together.place(), () -> beginOthers(together), together::othersEnded);
            case DONE -> {
                together.end();
                if (keeper.isRingStill(together.place())) {
                    repaired(table, together.place());
                }
            }
            case WAIT -> {}
        }
    }

    private List<Range<Token>> beginOwn(SharedTable together) {
        if (together.ownBegins()) {
            background.forget(together.place().id());
        }
        List<Range<Token>> own = together.own();
        log.info("MeteorShower: {}: the repair of what this node owns begins, in {} ranges", together, own.size());
        return own;
    }

    private List<Range<Token>> beginOthers(SharedTable together) {
        List<Range<Token>> others = together.othersBegin();
        log.info("MeteorShower: {}: the repair of what others own begins here, in {} ranges", together, others.size());
        return others;
    }

    /** @param ranges that are to be repaired; asked as it begins */
    private void begin(
            TableMetadata table, PlacedTable place, Supplier<List<Range<Token>>> ranges, Consumer<Boolean> ended) {
        if (!repairing.compareAndSet(false, true)) {
            return;
        }
        background.execute(() -> {
            boolean succeeded = false;
            try {
                succeeded = background.repair(table, place.id(), ranges.get(), () -> keeper.isRingStill(place));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.warn("MeteorShower: a repair failed", e);
            }
            if (succeeded) {
                log.info("MeteorShower: {}: that is repaired", table);
            } else {
                log.warn(
                        "MeteorShower: the repair of {} failed, or its partitions have moved meanwhile; it is tried again",
                        table);
                looksToRepair = LOOKS_BEFORE_ANOTHER;
            }
            try {
                ended.accept(succeeded);
            } finally {
                repairing.set(false);
            }
        });
    }

    /** One that was enabled waits for the other replicas before it is vouched for, and is read plainly until then. */
    private void repaired(TableMetadata table, PlacedTable place) {
        log.info("MeteorShower: {}: all that this node holds has been repaired", table);
        if (meteorShower.inspect(view -> view.isFilledByNodes(place.id()))) {
            meteorShower.tell(new Event.TableRepaired(place.id()));
        } else {
            meteorShower.baselineConfirmed(place.id());
        }
    }

    /** Another node asks how far the repair is of what this one owns. Does not block for long. */
    public Answer asked(NodeId from, UUID name, Question question) {
        SharedTable together = shared.get(name);
        if (together != null) {
            return together.asked(from, question);
        }
        boolean later = meteorShower.inspect(view -> view.needsStep(name)) && carriedFrom(name) == null;
        return later ? Answer.LATER : Answer.NO;
    }

    /** How far the repair of the table of this name is, by whomever it is done; null where none is under way. */
    public @Nullable Progress progressOf(UUID name) {
        SharedTable together = shared.get(name);
        Progress whole = together == null ? null : together.progress();
        return whole == null ? background.progressOf(name) : whole;
    }
}
