/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * Takes in another data centre's snapshot, page by page, past the rows in memory and into an edition of its own: what a
 * replaced process still writes goes to an older one. A crash is resumed where it was, as long as the giver keeps what
 * it gives. Until all is there, nothing is executed.
 */
public final class SnapshotTaker {
    /**
     * Hears when everything up to a checkpoint is in an edition of the rows, durably, and execution is to go on from
     * there.
     */
    public interface Listener {
        /**
         * The pages are there. What the log holds below the checkpoint is to go, in the same batch as what is written
         * next.
         */
        void arrived(Checkpoint checkpoint);

        void installed(Checkpoint checkpoint, int edition);
    }

    private static final int PAGES_AT_ONCE = 8;
    private static final int NOTED_EVERY = 16;
    private static final long ASK_AGAIN_MICROS = 1_000_000;
    private static final long GIVE_UP_MICROS = 5_000_000;
    private static final int NOBODY = -1;
    private static final long NEVER = Long.MIN_VALUE;

    private final Turn turn;
    private final Durability durability;
    private final Listener listener;
    private final LongSupplier lookedAtBelow;

    /** Pages that have come before those that come before them. */
    private final Map<String, Message.Page> early = new HashMap<>();

    private int newest;
    private Durable.@Nullable Installing installing;
    private boolean usable;
    private int giver = NOBODY;
    private boolean begun;
    private boolean complete;

    /** After which place the next page is wanted. */
    private String place = "";

    private Message.@Nullable Page writing;
    private int pagesLeft;
    private int unnoted;
    private long requests;
    private long heardMicros = NEVER;
    private long askedMicros = Long.MIN_VALUE / 2;

    /**
     * @param lookedAtBelow see {@link ExpiringRows#lookedAtBelow}
     * @param edition of the rows
     * @param newest of which there may be rows: none is filled twice
     * @param installing what a crash has cut short; null where nothing was
     */
    public SnapshotTaker(
            Turn turn,
            Durability durability,
            Listener listener,
            LongSupplier lookedAtBelow,
            int edition,
            int newest,
            Durable.@Nullable Installing installing) {
        this.turn = turn;
        this.durability = durability;
        this.listener = listener;
        this.lookedAtBelow = lookedAtBelow;
        this.installing = installing;
        this.usable = edition > 0 && installing == null;
        this.newest = newest;
        if (installing != null) {
            place = installing.place();
            begun = true;
        }
    }

    /** Whether the rows can be executed on: they are whole, and not being replaced. */
    public boolean isUsable() {
        return usable;
    }

    /** Whether a snapshot is being taken in. */
    public boolean isBusy() {
        return installing != null;
    }

    /** The past of some row is gone: nothing is executed until another edition is there. */
    public void unusable() {
        usable = false;
    }

    /**
     * A snapshot is to be had.
     *
     * @param count of entries executed here
     * @param quiet whether nothing is being written behind
     */
    public void offered(int from, Checkpoint checkpoint, long count, boolean quiet) {
        boolean isStuck = installing != null && heardMicros != NEVER && turn.micros() - heardMicros > GIVE_UP_MICROS;
        if ((installing != null && !isStuck)
                || !quiet
                || checkpoint.count() < count
                || (usable && checkpoint.count() == count)) {
            return;
        }
        usable = false;
        giver = from;
        begun = false;
        complete = false;
        writing = null;
        place = "";
        early.clear();
        Durable.Installing now = new Durable.Installing(checkpoint, ++newest, 1, "");
        installing = now;
        heardMicros = turn.micros();
        durability.write(now, () -> {
            if (now.equals(installing)) {
                begun = true;
                ask();
            }
        });
    }

    private void ask() {
        Durable.Installing now = installing;
        if (now == null) {
            return;
        }
        askedMicros = turn.micros();
        pagesLeft = PAGES_AT_ONCE;
        Message.AskPages ask = new Message.AskPages(now.checkpoint().count(), place, PAGES_AT_ONCE);
        if (giver == NOBODY) {
            turn.sendToOthers(ask); // one of them may still have it; the others offer theirs
        } else {
            turn.send(giver, ask);
        }
    }

    public void tick() {
        heardMicros = heardMicros == NEVER ? turn.micros() : heardMicros;
        if (installing != null && begun && !complete && writing == null) {
            if (turn.micros() - heardMicros > GIVE_UP_MICROS) {
                giver = NOBODY;
            }
            if (turn.micros() - askedMicros > ASK_AGAIN_MICROS && turn.micros() - heardMicros > ASK_AGAIN_MICROS) {
                ask();
            }
        }
    }

    public void received(int from, Message.Page page) {
        Durable.Installing now = installing;
        if (now != null && begun && !complete && page.checkpoint().equals(now.checkpoint())) {
            giver = from;
            heardMicros = turn.micros();
            if (early.size() > PAGES_AT_ONCE) {
                early.clear(); // second copies of what was written long ago; what is among them and is not is asked
                // for again
            }
            early.put(page.place(), page);
            write(now);
        }
    }

    /** The next page, where it has come: one at a time. */
    private void write(Durable.Installing now) {
        Message.Page page = writing == null ? early.remove(place) : null;
        if (page != null) {
            writing = page;
            turn.emit(new Effect.WritePage(
                    ++requests, now.edition(), page.rows(), page.bases(), lookedAtBelow.getAsLong()));
        }
    }

    public void pageWritten(long request) {
        Durable.Installing now = installing;
        Message.Page page = writing;
        if (now == null || page == null || request != requests) {
            return;
        }
        writing = null;
        if (page.next().isEmpty()) {
            finish(now);
            return;
        }
        place = page.next();
        if (++unnoted >= NOTED_EVERY) {
            unnoted = 0;
            Durable.Installing noted = new Durable.Installing(now.checkpoint(), now.edition(), now.said() + 1, place);
            installing = noted;
            durability.write(noted, () -> {});
        }
        if (--pagesLeft <= 0) {
            ask();
        }
        write(now);
    }

    private void finish(Durable.Installing now) {
        complete = true;
        early.clear();
        listener.arrived(now.checkpoint());
        durability.write(new Durable.Done(now.checkpoint(), now.edition()), () -> {
            installing = null;
            usable = true;
            complete = false;
            listener.installed(now.checkpoint(), now.edition());
        });
    }
}
