/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for cuts at which all partitions of a range can be answered. Used by the core's thread only. */
final class ScanCuts {
    /** Each partition may ask for an older cut than the ones before it. */
    private static final int MOST_ROUNDS = 16;

    private final StatusMap statusMap;
    private final TableStates tables;
    private final Knowledge knowledge;

    ScanCuts(StatusMap statusMap, TableStates tables, Knowledge knowledge) {
        this.statusMap = statusMap;
        this.tables = tables;
        this.knowledge = knowledge;
    }

    /**
     * What was found.
     *
     * @param cutMicros of no meaning where there is none
     * @param oldestMicros no older cut counts
     * @param unsettled the partitions of the range that are not settled at the cut; of one step
     * @param awaited null where there is a cut
     */
    record Found(
            long cutMicros,
            long oldestMicros,
            List<PartitionState> unsettled,
            @Nullable Awaited awaited) {
        private static Found none(Awaited awaited) {
            return new Found(Long.MIN_VALUE, Long.MIN_VALUE, List.of(), awaited);
        }
    }

    /**
     * The newest cut at which all is decided and can be kept apart.
     *
     * @param leastMicros no older one
     */
    Found newest(ScanRange range, long leastMicros) {
        // The last one is that of all partitions in which nothing is in flight.
        long oldest = Math.max(Math.max(leastMicros, knowledge.floorMicros()), statusMap.floorAtRest());
        return between(range, oldest, Long.MAX_VALUE);
    }

    /**
     * A cut from somewhat earlier, from which on all can be kept: by this room, or by the smaller one where that leaves
     * so many partitions more that are not settled.
     */
    Found earlier(ScanRange range, Found newest, long roomMicros, int mostMore, long smallerRoomMicros) {
        long wanted = Math.max(newest.oldestMicros(), newest.cutMicros() - roomMicros);
        List<PartitionState> unsettled = statusMap.unsettledIn(range, wanted); // at no later cut are there others
        Found found = notBefore(wanted, newest.oldestMicros(), unsettled);
        return found.unsettled().size() <= newest.unsettled().size() + mostMore
                ? found
                : notBefore(Math.max(wanted, newest.cutMicros() - smallerRoomMicros), newest.oldestMicros(), unsettled);
    }

    /**
     * What is forgotten already counts: of a partition in which something is in flight its own floor may be above that
     * of all that are at rest.
     */
    private static Found notBefore(long wantedMicros, long oldestMicros, List<PartitionState> states) {
        long micros = Math.max(wantedMicros, latestFloor(unsettledAt(wantedMicros, states)));
        return new Found(micros, oldestMicros, unsettledAt(micros, states), null);
    }

    private static List<PartitionState> unsettledAt(long micros, List<PartitionState> states) {
        return states.stream().filter(state -> !state.isSettledAt(micros)).toList();
    }

    private static long latestFloor(List<PartitionState> states) {
        return states.stream().mapToLong(state -> state.floorMicros).max().orElse(Long.MIN_VALUE);
    }

    /**
     * The same among the cuts that are kept.
     *
     * @param mostMicros no newer one
     */
    Found kept(Pins.Pin pin, long mostMicros) {
        return between(pin.range, Math.max(pin.cutMicros(), knowledge.floorMicros()), mostMicros);
    }

    private Found between(ScanRange range, long leastMicros, long mostMicros) {
        Standings standings = new Standings(tables, knowledge);
        List<Standings.Standing> groups = new ArrayList<>();
        long oldest = leastMicros;
        long cut = mostMicros;
        for (ReplicaGroup group : range.groups()) {
            Standings.Standing standing = standings.of(group, range.table());
            if (standing.coverage == null) {
                return Found.none(Awaited.TABLE);
            }
            groups.add(standing);
            oldest = Math.max(oldest, standing.tableFloorMicros);
            cut = Math.min(cut, standing.newestCoveredMicros);
        }
        if (cut < oldest) {
            return Found.none(Awaited.STATUS);
        }
        Found found = decided(range, standings, oldest, cut);
        return found.awaited() == null && !groups.stream().allMatch(group -> group.covers(found.cutMicros()))
                ? Found.none(Awaited.DECISION)
                : found;
    }

    private Found decided(ScanRange range, Standings standings, long oldest, long newest) {
        long cut = newest;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            long before = cut;
            List<PartitionState> unsettled = statusMap.unsettledIn(range, before);
            for (PartitionState state : unsettled) {
                cut = decided(state, standings, oldest, cut);
                if (cut == Long.MIN_VALUE) {
                    return Found.none(Awaited.DECISION);
                }
            }
            if (cut == before) {
                return new Found(cut, oldest, unsettled, null);
            }
        }
        return Found.none(Awaited.DECISION);
    }

    private static long decided(PartitionState state, Standings standings, long oldest, long newest) {
        Standings.Standing standing = standings.of(state.group(), state.key().table());
        Coverage[] coverage = standing.coverage;
        CutChooser.Choice choice = coverage == null
                ? null
                : CutChooser.choose(
                        state.group(),
                        coverage,
                        newest,
                        state,
                        Update.ANY_ROW,
                        Math.max(oldest, state.floorMicros),
                        newest);
        return choice == null ? Long.MIN_VALUE : choice.cutMicros();
    }
}
