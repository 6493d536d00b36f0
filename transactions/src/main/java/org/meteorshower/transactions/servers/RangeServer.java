/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Forward;

/**
 * A chain server: executes the merged order as far as it touches the rows of one range. Deterministic; used by one
 * thread. It hears messages, what its tables have read and written, and ticks, which only say that some milliseconds
 * have passed; what it wants done is {@linkplain #takeEffects() taken} after each.
 */
public final class RangeServer {
    /** It does not know K yet. */
    public static final long NOT_BEGUN = -1;

    private final int range;
    private final long budget;
    private final Tables tables;
    private final Inbox inbox = new Inbox();
    private final Outbox outbox = new Outbox();
    private final Handing handing;
    private final UnderWay underWay = new UnderWay();
    private final Executing executing;
    private final Receiving receiving = new Receiving();

    private Life life;
    private long sequencerLife = Long.MIN_VALUE;

    /** K, as far as is known here. */
    private long done = NOT_BEGUN;

    /** The first one that had not ended at the last tick; null where all had. */
    private @Nullable Part firstAtLastTick;

    /**
     * @param life greater than that of any server of the range at this node before
     * @param budget bytes of heap, about, for all that it holds
     * @param mostRows that it keeps although nobody needs them, about
     */
    public RangeServer(int range, Life life, Division division, long budget, int mostRows) {
        this.range = range;
        this.budget = budget;
        this.life = life;
        this.handing = new Handing(outbox, budget / 4);
        this.tables = new Tables(outbox, mostRows, budget / 2);
        this.executing = new Executing(range, division, tables, inbox, handing, underWay);
    }

    /** Its node has heard of this assignment, by which it goes on serving. */
    public void assigned(long number) {
        life = life.in(number);
    }

    public void received(ChainMessage message) {
        message.handOver(receiving);
        end();
    }

    /**
     * @param request under which they were asked for
     * @param read each of them; of version {@link StoredRow#PAST_GONE} where the tables had it as of then, and have let
     *     go of it
     * @param noted K, as it was noted durably after they were read: whoever serves the range now may have forgotten
     *     below it that a row is absent
     */
    public void rowsRead(long request, Map<RowKey, StoredRow> read, long noted) {
        tables.read(request, read, noted, executed());
        end();
    }

    /**
     * @param request under which they were asked for
     * @param keys a page of those in the range
     * @param more whether there are others behind them
     * @param noted K, as it was noted durably after they were read
     */
    public void keysRead(long request, List<RowKey> keys, boolean more, long noted) {
        tables.keysRead(request, keys, more, noted, executed());
        end();
    }

    /** What was to be written under this number is durable. */
    public void rowsWritten(long request) {
        if (tables.written(request)) {
            tellProgress();
        }
        end();
    }

    /** Some milliseconds have passed. Whoever waits asks. */
    public void tick() {
        tables.tick();
        Part first = underWay.first();
        if (first != null && first.equals(firstAtLastTick)) {
            askFor(first);
            first.wake(); // it may have lost what it had found, and wait for nobody
        }
        firstAtLastTick = first;
        tellProgress();
        end();
    }

    private void askFor(Part part) {
        for (int other : executing.awaited(part)) {
            outbox.send(other, new ChainMessage.Again(range, other, Version.entry(part.version) - 1));
        }
    }

    /** What is to be done, since it was last asked. */
    public List<ServerEffect> takeEffects() {
        return outbox.take();
    }

    private void tellProgress() {
        outbox.send(
                ChainMessage.SEQUENCER,
                new ChainMessage.Progress(
                        range, life, underWay.next(), executed(), tables.heldCut(), tables.firstDue(done), room()));
    }

    /** All below this count are executed here; {@link #NOT_BEGUN} before it has begun. */
    public long executed() {
        return underWay.executed();
    }

    /** About how many bytes of heap it holds. */
    public long bytes() {
        return underWay.bytes() + inbox.bytes() + handing.bytes() + tables.bytes();
    }

    /** A quarter of the budget is for slices, and what comes besides for them; where others take more it has less. */
    private long room() {
        long kept = Math.max(0, handing.bytes() - budget / 4);
        return Math.max(0, budget / 4 - underWay.bytes() - inbox.bytes() - kept);
    }

    /** In which it speaks. */
    public Life life() {
        return life;
    }

    /** So many transactions had their turn here. */
    public long evaluations() {
        return executing.evaluations();
    }

    /** Rows as of K, slices from K, messages as they are asked for. */
    private void beginAnew(long from) {
        if (underWay.hasBegun()) {
            life = life.begunAnew();
        }
        done = from;
        underWay.beginAnew(from);
        executing.beginAnew();
        tables.beginAnew(from);
        handing.beginAnew();
        inbox.dropBelow(Version.of(from, 0));
        tellProgress();
    }

    private void end() {
        executing.run();
        while (underWay.isWaiting() && mayBegin()) {
            executing.begin(underWay.begin());
            executing.run();
        }
        handing.trim();
        Part first = underWay.first();
        if (bytes() > budget - budget / 4) {
            inbox.dropFrom(first == null ? Version.of(executed(), 0) : first.version + 1, executing::dropped);
        }
        tables.flush(executed(), done, underWay.isWaiting(), first == null ? List.of() : executing.rows(first));
    }

    /** Whether there is room for what the next slice brings along. The first of all that has not ended needs none. */
    private boolean mayBegin() {
        boolean hasRoom = tables.rows().hasRoomFor(underWay.begunBytes()) && bytes() <= budget - budget / 4;
        return hasRoom || (underWay.isIdle() && handing.haveExecuted(executed(), range));
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    private final class Receiving implements ChainMessage.Handler {
        @Override
        public void on(ChainMessage.Slices slices) {
            if (slices.life() < sequencerLife) {
                return;
            }
            sequencerLife = slices.life();
            handing.heard(slices);
            long to = Math.max(done, slices.done());
            boolean isDue = slices.cut() > to;
            if (!underWay.hasBegun() || executed() < to || (isDue && missesCut(slices.cut()))) {
                beginAnew(to);
            }
            if (to > done) {
                done = to;
                handing.passed(to);
            }
            if (isDue) {
                tables.cutDue(slices.cut());
            }
            if (isWithoutGap(slices)) {
                for (Slice slice : slices.slices()) {
                    if (slice.count() >= underWay.next()) {
                        underWay.took(slice);
                    }
                }
                underWay.toldBelow(slices.below());
            }
        }

        /** Whether a cut is due as of which its rows may not be known any more. */
        private boolean missesCut(long cut) {
            return cut != tables.cut() && cut < underWay.next();
        }

        private boolean isWithoutGap(ChainMessage.Slices slices) {
            return slices.from() <= underWay.next();
        }

        @Override
        public void on(Forward forward) {
            if (underWay.isAwaited(forward.version())) {
                inbox.put(forward);
                executing.wake(forward.version());
            }
        }

        @Override
        public void on(Backward backward) {
            if (underWay.isAwaited(backward.version())) {
                inbox.put(backward);
                executing.wake(backward.version());
            }
        }

        @Override
        public void on(ChainMessage.Ask ask) {
            if (underWay.isAwaited(ask.version())) {
                inbox.put(ask);
                executing.wake(ask.version());
            }
        }

        @Override
        public void on(ChainMessage.Told told) {
            if (underWay.isAwaited(told.version())) {
                inbox.put(told);
                executing.wake(told.version());
            }
        }

        @Override
        public void on(ChainMessage.Again again) {
            if (!underWay.hasBegun() || again.count() < done) {
                return; // Who asks for what is below K will hear of K, and begin there.
            }
            if (!handing.again(again)) {
                beginAnew(done);
            }
        }

        @Override
        public void on(ChainMessage.Progress progress) {
            throw new IllegalArgumentException("this is for the sequencer: " + progress);
        }

        @Override
        public void on(ChainMessage.Ended ended) {
            throw new IllegalArgumentException("this is for the sequencer: " + ended);
        }
    }
}
