/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.onlinecheck.Answer;
import org.meteorshower.onlinecheck.CellName;
import org.meteorshower.onlinecheck.CheckFigures;
import org.meteorshower.onlinecheck.CheckLimits;
import org.meteorshower.onlinecheck.Observation;
import org.meteorshower.onlinecheck.OnlineChecker;
import org.meteorshower.onlinecheck.StepWatch;
import org.meteorshower.onlinecheck.Version;
import org.meteorshower.onlinecheck.Violation;
import org.meteorshower.onlinecheck.WrittenCells;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;

/**
 * The online checker of one simulated node, in all its lives; each life begins with an empty one, as in a real node. It
 * slows a run down a good deal, so only one seed in four has it.
 */
final class NodeChecks {
    private static final int ONE_SEED_IN = 4;

    private final NodeId node;
    private final boolean on;
    private @Nullable OnlineChecker checker;
    private @Nullable StepWatch watch;
    private long nowNanos;
    private CheckFigures earlier = CheckFigures.NONE;
    private @Nullable Violation first;

    NodeChecks(NodeId node, long seed) {
        this.node = node;
        this.on = seed % ONE_SEED_IN == 0;
    }

    /** @param hlcMicros what the core's clock begins with */
    void begin(Placement placement, Settings settings, long hlcMicros) {
        end();
        if (!on) {
            return;
        }
        OnlineChecker begun = new OnlineChecker(CheckLimits.DEFAULTS, NodeChecks::cellsOf, hlcMicros);
        checker = begun;
        watch = new StepWatch(
                node, placement, settings.maxAheadMicros(), 1, observation -> begun.saw(observation, nowNanos));
    }

    void stepped(Event event, List<Effect> effects, Now now) {
        StepWatch watching = watch;
        if (watching != null) {
            nowNanos = now.elapsedNanos();
            watching.stepped(event, effects, now);
        }
    }

    /** @param from the first row that was read, {@code to} the last */
    void answered(PartitionKey key, long tokenMicros, long cutMicros, int from, int to, Map<Integer, Cell> content) {
        OnlineChecker checking = checker;
        if (checking == null) {
            return;
        }
        Map<CellName, Version> cells = new HashMap<>();
        content.forEach((cell, value) -> cells.put(nameOf(cell), versionOf(value)));
        Set<Long> rows = new HashSet<>();
        IntStream.rangeClosed(from, to).forEach(row -> rows.add(CellUpdate.rowHash(row)));
        checking.saw(new Observation.Answered(new Answer(key, tokenMicros, cutMicros, cells, rows, null)), nowNanos);
    }

    private static WrittenCells cellsOf(Update update) {
        Map<CellName, Version> cells = new HashMap<>();
        ((CellUpdate) update).cells().forEach((cell, value) -> cells.put(nameOf(cell), versionOf(value)));
        return new WrittenCells(cells, WrittenCells.HIDES_NOTHING);
    }

    private static CellName nameOf(int cell) {
        return new CellName(CellUpdate.rowHash(cell / 100), cell % 100);
    }

    private static Version versionOf(Cell cell) {
        return new Version(cell.timestampMicros(), Objects.hashCode(cell.value()), cell.value() != null);
    }

    /** The life is over; what waits is judged by what is known. */
    void end() {
        OnlineChecker ending = checker;
        if (ending != null) {
            ending.finish();
            earlier = earlier.plus(ending.figures());
            if (first == null && !ending.violations().isEmpty()) {
                first = ending.violations().get(0);
            }
        }
        checker = null;
        watch = null;
    }

    /** Of all lives that have ended. */
    CheckFigures figures() {
        return earlier;
    }

    @Nullable
    Violation first() {
        return first;
    }
}
