/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;

/** Cuts merged entries into slices. Remembers the last ones, since all ranges want them at about the same time. */
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
        Merged merged = order.at(count);
        if (merged == null) {
            return null;
        }
        Cut made = cut(merged);
        last.put(count, made);
        bytes += made.weight;
        while (bytes > mostBytes && last.size() > 1) {
            Long oldest = last.keySet().iterator().next();
            Cut gone = last.remove(oldest);
            bytes -= gone == null ? 0 : gone.weight;
        }
        return made;
    }

    private Cut cut(Merged merged) {
        Map<Integer, List<Slice.Piece>> pieces = new TreeMap<>();
        List<Integer> turns = new ArrayList<>();
        List<Submission> submissions = merged.entry().submissions();
        for (int index = 0; index < submissions.size(); index++) {
            Submission submission = submissions.get(index);
            SessionId place = new SessionId(merged.lane(), merged.position(), index);
            Visit visit = Visit.of(submission.request(), place, Version.of(merged.number(), index), division);
            for (int range : visit.rows().keySet()) {
                pieces.computeIfAbsent(range, added -> new ArrayList<>()).add(new Slice.Piece(index, submission));
            }
            turns.add(visit.turn());
        }
        Map<Integer, Slice> byRange = new TreeMap<>();
        pieces.forEach(
                (range, its) -> byRange.put(range, new Slice(merged.number(), merged.lane(), merged.position(), its)));
        return new Cut(byRange, turns, merged.entry().weight());
    }
}
