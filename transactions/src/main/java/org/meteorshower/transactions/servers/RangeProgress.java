/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Row;

/** How far a range is, as the sequencer knows it, and what it may still be sent. */
final class RangeProgress {
    private final long window;

    /** By count: what was sent and is not executed, as far as is known. */
    private final TreeMap<Long, Integer> outstanding = new TreeMap<>();

    private long outstandingBytes;
    private Life life = Life.NONE;
    private long sent;
    private long furthest;
    private long executed;
    private long heldCut = -1;

    /** Of what was written for that. */
    private long firstDue = Row.NEVER;

    private long next = -1;
    private long room;

    RangeProgress(long done, long window) {
        this.window = window;
        this.sent = done;
        this.furthest = done;
        this.executed = done;
    }

    boolean isHeard() {
        return !life.equals(Life.NONE);
    }

    /** The first count of which nothing was sent. */
    long sent() {
        return sent;
    }

    /** No server of the range knows of this count, or a later one. */
    long furthest() {
        return furthest;
    }

    long executed() {
        return executed;
    }

    /** The tables hold the range's rows as of a cut. True whoever has said so: it is the same for all. */
    boolean holdsCut(long cut) {
        return heldCut == cut;
    }

    /** When the first ends of what the tables hold as of the last cut that was told to be held. */
    long firstDue() {
        return firstDue;
    }

    /** @param bytes of slices beside those that are under way */
    boolean hasRoomFor(long bytes) {
        return outstandingBytes + bytes <= Math.min(window, room);
    }

    void sent(long below, List<Slice> slices) {
        sent = below;
        furthest = Math.max(furthest, below);
        for (Slice slice : slices) {
            Integer before = outstanding.put(slice.count(), slice.weight());
            outstandingBytes += slice.weight() - (before == null ? 0 : before);
        }
    }

    void told(ChainMessage.Progress told, long done, long cut) {
        if (told.heldCut() == cut) {
            firstDue = heldCut == cut ? Math.min(firstDue, told.firstDue()) : told.firstDue();
            heldCut = cut;
        }
        furthest = Math.max(furthest, told.next());
        int age = told.life().compareTo(life);
        if (age < 0) {
            return;
        }
        boolean isNew = age > 0;
        boolean isLost = told.next() < sent && told.next() == next;
        if (isNew || isLost) {
            sent = Math.max(told.next(), done);
            goBack();
        }
        life = told.life();
        executed = isNew ? Math.max(told.executed(), done) : Math.max(executed, told.executed());
        next = told.next();
        room = told.room();
        while (!outstanding.isEmpty() && outstanding.firstKey() < executed) {
            outstandingBytes -= outstanding.pollFirstEntry().getValue();
        }
    }

    private void goBack() {
        while (!outstanding.isEmpty() && outstanding.lastKey() >= sent) {
            outstandingBytes -= outstanding.pollLastEntry().getValue();
        }
    }
}
