/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.meteorshower.transactions.clocks.LongestSilence;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;

/** What this data centre has heard from the others: when, and how far they are. */
public final class Peers {
    private static final long NEVER = Long.MIN_VALUE / 2;

    /** Who is silent for longer has ended, or is cut off. */
    private static final long LONGEST_PAUSE_MICROS = 3_000_000;

    private static final long HALF_MINUTE_MICROS = 30_000_000;

    private final Members members;
    private final long[] heardMicros;

    /** Whether the connection with it has ended, and nothing was heard since. */
    private final boolean[] severed;

    /** Of each, those that it came out of by itself soon: it collected garbage, say. */
    private final List<LongestSilence> pauses = new ArrayList<>();

    /** Of all of them, and told apart from words that were late on their way. */
    private final LongestSilence standstills = new LongestSilence(HALF_MINUTE_MICROS);

    private final List<List<Long>> decided = new ArrayList<>();
    private final List<List<Long>> durable = new ArrayList<>();
    private final long[] count;

    /** Which of them take part where a leader is passed over. */
    private final boolean[] revokes;

    public Peers(Members members) {
        this.members = members;
        heardMicros = new long[members.count()];
        Arrays.fill(heardMicros, NEVER);
        count = new long[members.count()];
        revokes = new boolean[members.count()];
        severed = new boolean[members.count()];
        List<Long> zeros = Collections.nCopies(members.count(), 0L);
        for (int dc = 0; dc < members.count(); dc++) {
            decided.add(zeros);
            durable.add(zeros);
            pauses.add(new LongestSilence(HALF_MINUTE_MICROS));
        }
    }

    /** @param listened whether this data centre has not stood still itself: it would have heard nothing meanwhile */
    public void heard(int dc, long nowMicros, boolean listened) {
        long silence = nowMicros - heardMicros[dc];
        if (listened && silence <= LONGEST_PAUSE_MICROS) {
            pauses.get(dc).ended(silence, nowMicros);
        }
        heardMicros[dc] = nowMicros;
        severed[dc] = false;
    }

    /** No connection with it stands any more. */
    public void severed(int dc) {
        severed[dc] = true;
    }

    /** Whether that is the last that is known of it: what pauses keeps its connections. */
    boolean isSevered(int dc) {
        return severed[dc];
    }

    /** The longest pause of the data centre in the last half minute to minute; at most 3 s. */
    long longestPauseMicros(int dc, long nowMicros) {
        return pauses.get(dc).lately(nowMicros);
    }

    /**
     * For how long a data centre's process, this one's among them, stood still at most, in the last half minute to
     * minute, before it went on by itself; at most 3 s. They have the same load and settings: what one of them did the
     * others may do next. Words that come late are none: what it sent meanwhile tells that it went on.
     */
    long longestStandstillMicros(long nowMicros) {
        return standstills.lately(nowMicros);
    }

    /** One told nothing for so long, by its own clock, too; or it is this one. */
    public void stoodStill(long micros, long nowMicros) {
        if (micros <= LONGEST_PAUSE_MICROS) {
            standstills.ended(micros, nowMicros);
        }
    }

    public void progress(int dc, Message.Progress progress) {
        decided.set(dc, progress.decided());
        durable.set(dc, progress.durable());
        count[dc] = progress.count();
        revokes[dc] = progress.revokes();
    }

    /** Whether a word of it came within this time. Of this data centre itself always. */
    public boolean isHeard(int dc, long withinMicros, long nowMicros) {
        return dc == members.self() || nowMicros - heardMicros[dc] <= withinMicros;
    }

    public boolean isMajorityHeard(long withinMicros, long nowMicros) {
        int heard = 0;
        for (int dc = 0; dc < members.count(); dc++) {
            heard += isHeard(dc, withinMicros, nowMicros) ? 1 : 0;
        }
        return heard >= members.majority();
    }

    /** Below it, by its own last word, the data centre knows all positions of the lane to be decided. */
    public long decidedBelow(int dc, int lane) {
        return decided.get(dc).get(lane);
    }

    /** Below it, by its own last word, the data centre has executed the lane durably. */
    public long durableBelow(int dc, int lane) {
        return durable.get(dc).get(lane);
    }

    boolean revokes(int dc) {
        return revokes[dc];
    }

    /** How many merged entries the data centre had executed by its own last word. */
    public long count(int dc) {
        return count[dc];
    }
}
