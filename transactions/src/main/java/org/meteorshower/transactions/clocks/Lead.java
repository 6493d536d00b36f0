/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * By how much earlier than clocks and half a round trip say this data centre closes its epochs, so that nobody waits
 * for it. The others say how late its closings come there; who is late closes them earlier, for its own clients' time.
 * What single pauses cost is not made up for: of what a peer has said in the last two seconds the worst twentieth, and
 * two at least, do not count. May cost latency, and nothing else.
 */
public final class Lead {
    private static final long REMEMBERED_MICROS = 2_000_000;
    static final long LONGEST_MICROS = 1_000_000;

    /** Later than that was something else: a clock that was set, a data centre that was cut off. */
    private static final long LATEST_MICROS = 10_000_000;

    private static final long REFRESH_MICROS = 20_000;
    private static final int MOST_CLOSINGS = 2_048;
    private static final int MOST_SAID = 64;
    private static final int LATER_SHARE = 20;
    private static final int LATER_LEAST = 2;

    /**
     * @param alignedMicros when, on the aligned clock
     * @param earlyMicros how much before its time
     */
    private record Closing(long alignedMicros, long earlyMicros) {}

    /** @param neededMicros so much before its nominal time an epoch must be closed for that peer */
    private record Said(long neededMicros, long saidMicros) {}

    private final Turn turn;
    private final long periodMicros;

    /** The last ones, by epoch: each closes those before it as well. */
    private final TreeMap<Long, Closing> closings = new TreeMap<>();

    private final List<ArrayDeque<Said>> saidBy = new ArrayList<>();
    private long neededMicros;
    private long refreshedMicros = Long.MIN_VALUE / 2;

    public Lead(Turn turn, int dcs, long periodMicros) {
        this.turn = turn;
        this.periodMicros = periodMicros;
        for (int dc = 0; dc < dcs; dc++) {
            saidBy.add(new ArrayDeque<>());
        }
    }

    /**
     * @param alignedMicros the time, on the aligned clock
     * @param usualMicros half a round trip
     */
    void closed(long epoch, long alignedMicros, long usualMicros) {
        long early = Math.max(0, nominalMicros(epoch) - usualMicros - alignedMicros);
        closings.put(epoch, new Closing(alignedMicros, Math.min(early, LATEST_MICROS)));
        if (closings.size() > MOST_CLOSINGS) {
            closings.pollFirstEntry();
        }
    }

    private long nominalMicros(long epoch) {
        return epoch * periodMicros;
    }

    /** By how much before its time this data centre closed the epoch; 0 where that is not known. */
    public long earlyMicros(long epoch) {
        Closing closing = closings.get(epoch);
        return closing == null ? 0 : closing.earlyMicros();
    }

    /** A peer says how late this data centre's lane was there. */
    public void heard(int from, Message.Margin margin) {
        Map.Entry<Long, Closing> closing = closings.ceilingEntry(margin.epoch());
        if (closing == null || isFar(margin.micros())) {
            return;
        }
        long lead = nominalMicros(margin.epoch()) - closing.getValue().alignedMicros();
        if (isFar(lead)) {
            return; // The clock was set meanwhile.
        }
        ArrayDeque<Said> said = saidBy.get(from);
        said.add(new Said(lead + margin.micros(), turn.micros()));
        if (said.size() > MOST_SAID) {
            said.poll();
        }
    }

    private static boolean isFar(long micros) {
        return micros > LATEST_MICROS || micros < -LATEST_MICROS;
    }

    /** What comes on top of half a round trip. */
    long beyondMicros(long usualMicros) {
        if (turn.micros() - refreshedMicros >= REFRESH_MICROS) {
            refreshedMicros = turn.micros();
            neededMicros = neededByMost();
        }
        return Math.max(0, Math.min(LONGEST_MICROS, neededMicros - usualMicros));
    }

    /** One that says so alone hears badly: it would slow all. Who has nothing to say abstains. */
    private long neededByMost() {
        saidBy.forEach(this::forget);
        long[] needed = saidBy.stream()
                .filter(said -> said.size() > later(said))
                .mapToLong(Lead::needed)
                .sorted()
                .toArray();
        return needed.length == 0 ? 0 : needed[(needed.length - 1) / 2];
    }

    private void forget(ArrayDeque<Said> said) {
        while (!said.isEmpty() && turn.micros() - said.peek().saidMicros() > REMEMBERED_MICROS) {
            said.poll();
        }
    }

    private static int later(ArrayDeque<Said> said) {
        return Math.max(LATER_LEAST, said.size() / LATER_SHARE);
    }

    private static long needed(ArrayDeque<Said> said) {
        long[] sorted = said.stream().mapToLong(Said::neededMicros).sorted().toArray();
        return sorted[sorted.length - 1 - later(said)];
    }
}
