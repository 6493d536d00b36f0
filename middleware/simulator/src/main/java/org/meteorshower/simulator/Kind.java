/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.meteorshower.protocol.ReadMode;

/** The kinds of plans there are, by a name that can be given on a command line. */
public enum Kind {
    RANDOM(51),
    LIVE_MOVES(3),
    MOVES_OVERLAPPING(2),
    ENABLED(2),
    DISABLED(3),
    CALM(1),
    WIDE(1),
    STRICT(7),
    METEORSHOWER1(4),
    BOUNDED(3),
    CLOCKS_BEHIND(2),
    MIXED(4),
    READERS_CUT_OFF(4),
    RESTARTS(1),
    RESTART_BURSTS(1),
    CLOCKS_BACK(1),
    CLOCKS_APART(1),
    REPAIRS(4),
    REPAIRS_CUT_SHORT(1),
    LEFT_BEHIND(2),
    LEFT_BEHIND_BY_ONE(1),
    LEFT_BEHIND_BY_ALL(1),
    HALF_DEAF_RESTARTS(1),
    FRESH_CLIENTS(1),
    MINORITY_DOWN(4),
    MOVES(6),
    MOVES_UNSETTLED(1),
    MOVES_OUSTING(1),
    MOVES_IN_A_ROW(2),
    MOVES_AND_RESTARTS(2),
    THERE_AND_BACK(1),
    SIZE(3),
    SCANS(4),
    /** These by name alone. */
    WRITE_ALL(0),
    SETTLE_SLOWLY(0),
    LEASES(0),
    LEASES_MOVE(0),
    LEASES_ENABLED(0),
    TRACES(0);

    private static final int ALL_SHARES =
            Arrays.stream(values()).mapToInt(kind -> kind.share).sum();

    private final int share;

    Kind(int share) {
        this.share = share;
    }

    /** The kind that a seed stands for where none is named. */
    public static Kind of(long seed) {
        int drawn = new SplittableRandom(seed ^ 0x5eed).nextInt(ALL_SHARES);
        for (Kind kind : values()) {
            drawn -= kind.share;
            if (drawn < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("shares do not add up");
    }

    /** @throws IllegalArgumentException if there is no kind of this name; the message lists them */
    public static Kind named(String name) {
        for (Kind kind : values()) {
            if (kind.word().equals(name.toLowerCase(Locale.ROOT))) {
                return kind;
            }
        }
        List<String> words = Arrays.stream(values()).map(Kind::word).toList();
        throw new IllegalArgumentException("no kind of plan is called " + name + "; there are "
                + words.stream().collect(Collectors.joining(", ")));
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public SimulationPlan plan(long seed) {
        return switch (this) {
            case RANDOM -> Plans.random(seed);
            case LIVE_MOVES -> MovingPlans.live(seed);
            case MOVES_OVERLAPPING -> MovingPlans.movesOverlapping(seed);
            case ENABLED -> SwitchingPlans.enabled(seed);
            case DISABLED -> SwitchingPlans.disabled(seed);
            case CALM -> Plans.calm(seed);
            case WIDE -> Plans.wide(seed);
            case STRICT -> Plans.goodClocks(seed, ReadMode.STRICT);
            case METEORSHOWER1 -> Plans.goodClocks(seed, ReadMode.METEORSHOWER1);
            case BOUNDED -> Plans.goodClocks(seed, ReadMode.bounded(50_000));
            case CLOCKS_BEHIND -> TargetedPlans.clocksBehind(seed);
            case MIXED -> Plans.mixed(seed);
            case READERS_CUT_OFF -> TargetedPlans.readersCutOff(seed);
            case RESTARTS -> TargetedPlans.restarts(seed);
            case CLOCKS_BACK -> TargetedPlans.clocksBack(seed);
            case REPAIRS -> TargetedPlans.repairs(seed);
            case REPAIRS_CUT_SHORT -> TargetedPlans.repairsCutShort(seed);
            case LEFT_BEHIND_BY_ONE -> TargetedPlans.leftBehindByOne(seed);
            case LEFT_BEHIND_BY_ALL -> TargetedPlans.leftBehindByAll(seed);
            case HALF_DEAF_RESTARTS -> TargetedPlans.halfDeafRestarts(seed);
            case FRESH_CLIENTS -> TargetedPlans.freshClients(seed);
            case RESTART_BURSTS -> TargetedPlans.restartBursts(seed);
            case CLOCKS_APART -> TargetedPlans.clocksApart(seed);
            case LEFT_BEHIND -> TargetedPlans.leftBehind(seed);
            case MINORITY_DOWN -> Plans.minorityDown(seed);
            case MOVES -> MovingPlans.moves(seed);
            case MOVES_UNSETTLED -> MovingPlans.movesUnsettled(seed);
            case MOVES_OUSTING -> MovingPlans.movesOusting(seed);
            case MOVES_IN_A_ROW -> MovingPlans.movesInARow(seed);
            case MOVES_AND_RESTARTS -> MovingPlans.movesAndRestarts(seed);
            case THERE_AND_BACK -> MovingPlans.thereAndBack(seed);
            case SIZE -> TargetedPlans.size(seed);
            case SETTLE_SLOWLY -> TargetedPlans.settleSlowly(seed);
            case SCANS -> TargetedPlans.scans(seed);
            case WRITE_ALL -> Plans.writeAll(seed);
            case LEASES -> Plans.leases(seed);
            case LEASES_MOVE -> Plans.leasesMove(seed);
            case LEASES_ENABLED -> Plans.leasesEnabled(seed);
            case TRACES -> TracePlans.small(seed);
        };
    }
}
