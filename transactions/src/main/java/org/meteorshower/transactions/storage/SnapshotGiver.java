/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * Gives data centres that lag behind the log all rows as of one checkpoint, page by page. While one takes them the
 * tables keep what the rows were there (a pin); everything else goes on. Who asks decides how fast.
 */
public final class SnapshotGiver {
    private static final long PINNED_MICROS = 60_000_000;

    private static final class Pin {
        private final Checkpoint checkpoint;
        private long heardMicros;

        /** What is to be read next; null where nothing is asked for. */
        private @Nullable String place;

        private int pagesLeft;

        /** The read under way; 0 for none. */
        private long request;

        Pin(Checkpoint checkpoint) {
            this.checkpoint = checkpoint;
        }
    }

    private final Turn turn;
    private final Checkpoints checkpoints;
    private final Predicate<Checkpoint> reaches;
    private final int pageBytes;
    private final Map<Integer, Pin> pins = new HashMap<>();
    private long requests;

    /**
     * @param reaches whether the log goes back to a checkpoint: a snapshot is worth nothing without what comes after it
     * @param pageBytes so large that few round trips are needed, and so small that a page goes with other messages
     */
    public SnapshotGiver(Turn turn, Checkpoints checkpoints, Predicate<Checkpoint> reaches, int pageBytes) {
        this.turn = turn;
        this.reaches = reaches;
        this.pageBytes = pageBytes;
        this.checkpoints = checkpoints;
    }

    /** The smallest count as of which rows are kept for others. */
    public long oldestPinned() {
        long oldest = Long.MAX_VALUE;
        for (Pin pin : pins.values()) {
            oldest = Math.min(oldest, pin.checkpoint.count());
        }
        return oldest;
    }

    /** By lane, the first position that is needed after what is being given; beyond all positions where nothing is. */
    public long oldestPinned(int lane) {
        long oldest = Long.MAX_VALUE;
        for (Pin pin : pins.values()) {
            oldest = Math.min(oldest, pin.checkpoint.positions().get(lane));
        }
        return oldest;
    }

    /** It has asked for entries that are gone. */
    public void askedBy(int dc) {
        Pin pin = pins.get(dc);
        if (pin == null || !reaches.test(pin.checkpoint)) {
            pin = new Pin(checkpoints.done());
            pins.put(dc, pin);
        }
        pin.heardMicros = turn.micros();
        turn.send(dc, new Message.Offer(pin.checkpoint));
    }

    public void received(int dc, Message.AskPages ask) {
        Pin pin = pins.get(dc);
        if (pin == null || pin.checkpoint.count() != ask.count()) {
            pins.remove(dc);
            askedBy(dc); // what it wants is gone: it has to begin anew
            return;
        }
        pin.heardMicros = turn.micros();
        pin.place = ask.place();
        pin.pagesLeft = ask.pages();
        pin.request = 0;
        read(pin);
    }

    private void read(Pin pin) {
        String place = pin.place;
        if (place != null && pin.pagesLeft > 0) {
            pin.request = ++requests;
            turn.emit(new Effect.ReadPage(
                    pin.request, checkpoints.edition(), Version.endOf(pin.checkpoint.count()), place, pageBytes, true));
        }
    }

    public void pageRead(long request, Map<RowKey, StoredRow> rows, Map<RowKey, Row> bases, String next) {
        pins.forEach((dc, pin) -> {
            String place = pin.place;
            if (pin.request == request && place != null) {
                pin.request = 0;
                pin.pagesLeft--;
                pin.place = next.isEmpty() ? null : next;
                turn.send(dc, new Message.Page(pin.checkpoint, place, rows, bases, next));
                read(pin);
            }
        });
    }

    /** Who has not been heard of for long does not need it any more. */
    public void tick() {
        for (Iterator<Pin> all = pins.values().iterator(); all.hasNext(); ) {
            if (turn.micros() - all.next().heardMicros > PINNED_MICROS) {
                all.remove();
            }
        }
    }

    /** The tables hold something else now. */
    public void stop() {
        pins.clear();
    }
}
