/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Digest;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.log.Version;

/**
 * The sequencer's side: cuts the merged order into slices, gives each range its own as far as it has room, hears what
 * came of transactions, and moves K on. It holds nothing that is not in the log, or would not be told once more.
 * Deterministic; used by one thread.
 */
public final class Sequencer {
    /** A message has no more slices than this many bytes, or one. */
    private static final long MOST_BYTES = 64 << 10;

    /** Nor does it tell of more counts. */
    private static final int MOST_COUNTS = 256;

    /** Of what is merged so many windows are under way, at most. */
    private static final int RANGES_AHEAD = 4;

    /** Hears what becomes of transactions, and does what is wanted. */
    public interface Listener {
        /** May be lost. */
        void send(ChainMessage message, int range);

        /** Told once for each in this sequencer's life, in no order. */
        void ended(long count, int index, Outcome outcome);

        /**
         * All ranges have executed all below this count, and all outcomes are known.
         *
         * @param digest of all outcomes and writes since the start
         */
        void executed(long count, long digest);

        /**
         * The tables hold all rows as of this count: to be noted durably, and then told by {@link #isDurable}.
         *
         * @param digest as of that count
         */
        void makeDurable(long count, long digest);

        /**
         * K has moved on. Of what is in the tables since something ends from then on: it is to be looked for from
         * there, although that may have been done before.
         *
         * @param millis since 1970; {@link Row#NEVER} where nothing ends
         */
        void endsFrom(long millis);
    }

    private final long life;
    private final int ranges;
    private final SliceCutter cutter;
    private final Listener listener;
    private final Receiving receiving = new Receiving();
    private final RangeProgress[] progress;

    /** By count, from {@link #count} on: what came of an entry's submissions, as far as it is known. */
    private final TreeMap<Long, Results> results = new TreeMap<>();

    private long count;
    private long digest;

    /** K, and the cut that is due; the same where none is. */
    private long done;

    private long cut;
    private long cutDigest;
    private final long mostAheadBytes;
    private boolean isBeingNoted;

    private long aheadBytes;

    /** What came of an entry's submissions, as far as it is known. */
    private static final class Results {
        private final SliceCutter.Cut entry;
        private final @Nullable ChainMessage.Ended[] ended;

        Results(SliceCutter.Cut entry) {
            this.entry = entry;
            this.ended = new ChainMessage.Ended[entry.turns().size()];
        }

        boolean isWhole() {
            return Arrays.stream(ended).allMatch(each -> each != null);
        }
    }

    /**
     * @param life the fence that it has taken
     * @param done K, as it is noted durably
     * @param digest as of then
     * @param window bytes of slices that are under way at a range, at most
     */
    public Sequencer(
            long life, Division division, MergedOrder order, Listener listener, long done, long digest, long window) {
        this.life = life;
        this.ranges = division.ranges();
        this.mostAheadBytes = RANGES_AHEAD * window;
        this.cutter = new SliceCutter(division, order, window);
        this.listener = listener;
        this.progress = new RangeProgress[ranges];
        for (int range = 0; range < ranges; range++) {
            progress[range] = new RangeProgress(done, window);
        }
        this.done = done;
        this.cut = done;
        this.count = done;
        this.digest = digest;
    }

    /** All below this count is executed in all ranges, and its outcomes are known. */
    public long count() {
        return count;
    }

    /** Of all below that count. */
    public long digest() {
        return digest;
    }

    /** K. */
    public long done() {
        return done;
    }

    /** Sends what may be sent. */
    public void advance() {
        for (int range = 0; range < ranges; range++) {
            while (send(range, false)) {
                // as far as there is room
            }
        }
    }

    /** Some milliseconds have passed: all hear of K and of cuts, and what is missing is asked for. */
    public void tick() {
        for (int range = 0; range < ranges; range++) {
            send(range, true);
        }
        for (long of = count; of < count + MOST_COUNTS && of < least(); of++) {
            awaited(of);
        }
        Results first = results.get(count);
        for (int index = 0; first != null && index < first.ended.length; index++) {
            int turn = first.entry.turns().get(index);
            if (first.ended[index] == null && progress[turn].executed() > count) {
                listener.send(new ChainMessage.Again(ChainMessage.SEQUENCER, turn, count), turn);
            }
        }
    }

    private boolean send(int range, boolean anyway) {
        RangeProgress its = progress[range];
        long from = its.sent();
        long below = from;
        long bytes = 0;
        List<Slice> slices = new ArrayList<>();
        while (below - from < MOST_COUNTS && bytes < MOST_BYTES) {
            SliceCutter.Cut entry = its.isHeard() && !isFarAhead(below) ? cutter.at(below) : null;
            Slice slice = entry == null ? null : entry.byRange().get(range);
            if (entry == null || (slice != null && !mayTake(its, bytes, slice))) {
                break;
            }
            await(below, entry);
            if (slice != null) {
                slices.add(slice);
                bytes += slice.weight();
            }
            below++;
        }
        if (below == from && !anyway) {
            return false;
        }
        its.sent(below, slices);
        listener.send(new ChainMessage.Slices(life, range, from, below, slices, done, cut, count, executed()), range);
        return below > from;
    }

    /** The first slice that is not executed everywhere always may be sent: without it nobody would make room. */
    private boolean mayTake(RangeProgress range, long bytes, Slice slice) {
        return range.hasRoomFor(bytes + slice.weight()) || slice.count() <= least();
    }

    private void await(long of, SliceCutter.Cut entry) {
        if (of >= count && !results.containsKey(of)) {
            results.put(of, new Results(entry));
            aheadBytes += entry.weight();
        }
    }

    /** Ranges may know more of the order already than this sequencer, if there was one before it. */
    private @Nullable Results awaited(long of) {
        SliceCutter.Cut entry = results.containsKey(of) ? null : cutter.at(of);
        if (entry != null) {
            await(of, entry);
        }
        return results.get(of);
    }

    /** What is executed in some ranges and not in others is remembered here, so none may run far ahead. */
    private boolean isFarAhead(long of) {
        return of > count && aheadBytes > mostAheadBytes && !results.containsKey(of);
    }

    private List<Long> executed() {
        return Arrays.stream(progress).map(RangeProgress::executed).toList();
    }

    /** @throws IllegalArgumentException if it is not for a sequencer */
    public void received(ChainMessage message) {
        message.handOver(receiving);
        advanceCount();
        lookAtCut();
        advance();
    }

    private final class Receiving implements ChainMessage.Handler {
        @Override
        public void on(ChainMessage.Progress told) {
            progress[told.range()].told(told, done, cut);
        }

        @Override
        public void on(ChainMessage.Ended message) {
            ended(message);
        }

        @Override
        public void on(ChainMessage.Slices slices) {
            throw notForIt(slices);
        }

        @Override
        public void on(ChainMessage.Forward forward) {
            throw notForIt(forward);
        }

        @Override
        public void on(ChainMessage.Backward backward) {
            throw notForIt(backward);
        }

        @Override
        public void on(ChainMessage.Ask ask) {
            throw notForIt(ask);
        }

        @Override
        public void on(ChainMessage.Told told) {
            throw notForIt(told);
        }

        @Override
        public void on(ChainMessage.Again again) {
            throw notForIt(again);
        }

        private static IllegalArgumentException notForIt(ChainMessage message) {
            return new IllegalArgumentException("this is not for the sequencer: " + message);
        }
    }

    private void ended(ChainMessage.Ended message) {
        long of = Version.entry(message.version()) - 1;
        int index = (int) (message.version() - Version.of(of, 0));
        Results its = results.get(of);
        if (of >= count && its != null && index < its.ended.length && its.ended[index] == null) {
            its.ended[index] = message;
            listener.ended(of, index, message.outcome());
        }
    }

    /** All ranges have executed all below this count. */
    private long least() {
        return Arrays.stream(progress).mapToLong(RangeProgress::executed).min().orElse(count);
    }

    private void advanceCount() {
        long least = least();
        while (count < least) {
            Results first = awaited(count);
            if (first == null || !first.isWhole()) {
                return;
            }
            for (ChainMessage.Ended each : first.ended) {
                digest = each == null ? digest : Digest.mix(digest, each.digest());
            }
            results.remove(count);
            aheadBytes -= first.entry.weight();
            count++;
            cutDigest = count == cut ? digest : cutDigest;
            listener.executed(count, digest);
        }
    }

    /**
     * Rows should be written behind. Nothing comes of it where a cut is due already, where there is nothing new, or
     * where some range has not been heard.
     */
    public void cut() {
        long furthest = 0;
        for (RangeProgress each : progress) {
            if (!each.isHeard()) {
                return;
            }
            furthest = Math.max(furthest, each.furthest());
        }
        if (cut == done && furthest > done) {
            cut = furthest;
            cutDigest = count == cut ? digest : 0;
        }
    }

    private void lookAtCut() {
        boolean isHeld = cut > done && Arrays.stream(progress).allMatch(each -> each.holdsCut(cut));
        if (isHeld && isAnswered() && !isBeingNoted) {
            isBeingNoted = true;
            listener.makeDurable(cut, cutDigest);
        }
    }

    /** Whether all outcomes below the cut are known: ranges forget them once K has passed. */
    private boolean isAnswered() {
        return count >= cut;
    }

    /** K is noted durably. */
    public void isDurable(long noted) {
        isBeingNoted = false;
        if (noted > done) {
            done = noted;
            listener.endsFrom(Arrays.stream(progress)
                    .mapToLong(RangeProgress::firstDue)
                    .min()
                    .orElse(Row.NEVER));
            tick();
        }
    }
}
