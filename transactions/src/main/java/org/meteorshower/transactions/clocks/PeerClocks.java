/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * The clocks of all data centres, as far as they can be told from here. Every reading is taken against this data
 * centre's elapsed clock, which does not jump. Clocks may cost latency here, and nothing else.
 */
public final class PeerClocks {
    private static final int KEPT = 8;
    private static final long LIVE_MICROS = 1_000_000;

    /** Clocks hardly drift in so long; what a message takes may be several times as much in a second as in the next. */
    private static final long TRUE_MICROS = 10_000_000;

    private static final long REFRESH_MICROS = 20_000;

    /** What was held up for longer, on its way or by a process that stood still, tells nothing of clocks. */
    private static final long LONGEST_ROUND_TRIP_MICROS = 2_000_000;

    /**
     * @param aheadMicros the peer's wall clock less this data centre's elapsed clock
     * @param roundTripMicros the less, the truer
     */
    private record Sample(long aheadMicros, long roundTripMicros, long takenMicros) {
        /** Whether both can be true of one clock: each is wrong by half of its round trip at most. */
        boolean agrees(Sample other) {
            return Math.abs(aheadMicros - other.aheadMicros) <= (roundTripMicros + other.roundTripMicros) / 2;
        }
    }

    private final Members members;
    private final Turn turn;
    private final long toleranceMicros;
    private final List<List<Sample>> samples = new ArrayList<>();

    /** By data centre, the one with the shortest round trip of late. */
    private final @Nullable Sample[] truest;

    private final long[] theirElapsedMicros;
    private final long[] receivedMicros;
    private final List<Long> others = new ArrayList<>();
    private long offsetMicros;

    /**
     * By how much the aligned clock is ahead of this data centre's elapsed one, for {@code alignedFor} of its own wall
     * clock.
     */
    private long alignedAheadMicros;

    private long alignedFor = Long.MIN_VALUE;
    private long refreshedMicros = Long.MIN_VALUE / 2;

    public PeerClocks(Members members, Turn turn, long toleranceMicros) {
        this.members = members;
        this.turn = turn;
        this.toleranceMicros = toleranceMicros;
        for (int dc = 0; dc < members.count(); dc++) {
            samples.add(new ArrayList<>());
        }
        truest = new Sample[members.count()];
        theirElapsedMicros = new long[members.count()];
        java.util.Arrays.fill(theirElapsedMicros, -1);
        receivedMicros = new long[members.count()];
    }

    /** What to tell a peer. */
    public Message.ClockReading reading(int to) {
        long echo = theirElapsedMicros[to];
        return new Message.ClockReading(
                turn.wallMicros(), turn.micros(), echo, echo < 0 ? 0 : turn.micros() - receivedMicros[to]);
    }

    public void received(int from, Message.ClockReading reading) {
        theirElapsedMicros[from] = reading.elapsedMicros();
        receivedMicros[from] = turn.micros();
        sample(from, reading);
    }

    /**
     * For how long a data centre told nothing before this reading of its clock, by its own clock or by this one's: the
     * shorter, so that what is only late on its way does not count. 0 where it told nothing before. To be asked before
     * the reading is {@link #received}.
     */
    public long silenceMicros(int from, Message.ClockReading reading) {
        return theirElapsedMicros[from] < 0
                ? 0
                : Math.min(reading.elapsedMicros() - theirElapsedMicros[from], turn.micros() - receivedMicros[from]);
    }

    private void sample(int from, Message.ClockReading reading) {
        long roundTrip = turn.micros() - reading.echoMicros() - reading.heldMicros();
        if (reading.echoMicros() >= 0 && roundTrip >= 0 && roundTrip <= LONGEST_ROUND_TRIP_MICROS) {
            List<Sample> kept = samples.get(from);
            if (kept.size() == KEPT) {
                kept.remove(0);
            }
            Sample sample = new Sample(reading.wallMicros() + roundTrip / 2 - turn.micros(), roundTrip, turn.micros());
            kept.add(sample);
            truest[from] = truer(from, sample);
        }
    }

    /** The one before, unless the new one had a shorter way, or the clock was set since, or may have drifted. */
    private @Nullable Sample truer(int from, Sample sample) {
        Sample before = truest[from];
        if (before == null || sample.roundTripMicros() <= before.roundTripMicros() || !sample.agrees(before)) {
            return sample;
        }
        return sample.takenMicros() - before.takenMicros() > TRUE_MICROS ? best(from) : before;
    }

    /**
     * The time that lanes are aligned by: this clock, or the median where it is far from it; empty until a majority is
     * read.
     */
    public OptionalLong alignedMicros() {
        refresh();
        if (others.size() + 1 < members.majority()) {
            return OptionalLong.empty();
        }
        long own = turn.wallMicros() - turn.micros();
        if (own != alignedFor) {
            alignedFor = own;
            alignedAheadMicros = aligned(own);
        }
        return OptionalLong.of(turn.micros() + alignedAheadMicros);
    }

    private long aligned(long own) {
        List<Long> ahead = new ArrayList<>(others);
        ahead.add(own);
        Collections.sort(ahead);
        long median = ahead.get((ahead.size() - 1) / 2);
        return Math.abs(own - median) <= toleranceMicros ? own : median;
    }

    /**
     * Half the round trip to the nearest majority, 0 while it is not known: so much earlier a lane closes its epochs.
     */
    public long offsetMicros() {
        refresh();
        return offsetMicros;
    }

    /** The mean of the last ones, if they are of late; else 0. */
    public long roundTripMicros(int dc) {
        long sum = 0;
        int count = 0;
        for (Sample sample : samples.get(dc)) {
            if (turn.micros() - sample.takenMicros() <= LIVE_MICROS) {
                sum += sample.roundTripMicros();
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    /** Samples come a few times a second, questions with every step. */
    private void refresh() {
        if (turn.micros() - refreshedMicros < REFRESH_MICROS) {
            return;
        }
        refreshedMicros = turn.micros();
        alignedFor = Long.MIN_VALUE;
        others.clear();
        List<Long> roundTrips = new ArrayList<>();
        roundTrips.add(0L);
        for (int dc = 0; dc < members.count(); dc++) {
            Sample best = best(dc);
            Sample clock = truest[dc];
            if (dc != members.self() && best != null && clock != null) {
                others.add(clock.aheadMicros());
                roundTrips.add(best.roundTripMicros());
            }
        }
        Collections.sort(roundTrips);
        offsetMicros = roundTrips.size() < members.majority() ? 0 : roundTrips.get(members.majority() - 1) / 2;
    }

    private @Nullable Sample best(int dc) {
        Sample best = null;
        for (Sample sample : samples.get(dc)) {
            if (turn.micros() - sample.takenMicros() <= LIVE_MICROS
                    && (best == null || sample.roundTripMicros() < best.roundTripMicros())) {
                best = sample;
            }
        }
        return best;
    }
}
