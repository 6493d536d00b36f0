/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.SessionId;

/**
 * Cuts merged entries into slices by what stands in front of requests. Remembers the last ones, since all ranges want
 * them at about the same time.
 */
final class SliceCutter {
    /**
     * An entry cut into pieces.
     *
     * @param byRange no range of which it has nothing
     * @param turns by index, the range that tells the outcome
     */
    record Cut(Map<Integer, Slice> byRange, List<Integer> turns, int weight) {}

    private final Division division;
    private final MergedOrder order;
    private final long mostBytes;
    private final Map<Long, Cut> last = new LinkedHashMap<>();
    private long bytes;

    SliceCutter(Division division, MergedOrder order, long mostBytes) {
        this.division = division;
        this.order = order;
        this.mostBytes = mostBytes;
    }

    /** Null where the entry is not to be had now. */
    @Nullable
    Cut at(long count) {
        Cut known = last.get(count);
        if (known != null) {
            return known;
        }
        Placed placed = order.at(count);
        if (placed == null) {
            return null;
        }
        Cut made = cut(placed);
        last.put(count, made);
        bytes += made.weight;
        while (bytes > mostBytes && last.size() > 1) {
            Long oldest = last.keySet().iterator().next();
            Cut gone = last.remove(oldest);
            bytes -= gone == null ? 0 : gone.weight;
        }
        return made;
    }

    private Cut cut(Placed placed) {
        Map<Integer, List<Slice.Piece>> pieces = new TreeMap<>();
        List<Integer> turns = new ArrayList<>();
        int many = placed.entry().submissions().size();
        for (int index = 0; index < many; index++) {
            Body body = placed.body(index);
            SessionId place = placed.place(index);
            Slice.Piece piece = new Slice.Piece(index, body);
            for (int range : Turns.ranges(body.front(), place, placed.count(), division)) {
                pieces.computeIfAbsent(range, added -> new ArrayList<>()).add(piece);
            }
            turns.add(Turns.turn(body.front(), place, placed.count(), division));
        }
        Map<Integer, Slice> byRange = new TreeMap<>();
        pieces.forEach(
                (range, its) -> byRange.put(range, new Slice(placed.count(), placed.lane(), placed.position(), its)));
        return new Cut(byRange, turns, placed.entry().weight());
    }
}
