/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Writes, and acknowledgements of others' writes, that wait until no node serves their table under an earlier name; and
 * writes that wait for a lease. A write waits no longer than its client does; there are no more of them than requests.
 */
final class HeldWrites {
    private static final int MOST_OWED = 4_096;

    private final Predicate<PartitionKey> isHeld;
    private final Map<Long, Event.WriteStarted> writes = new LinkedHashMap<>();
    private final List<Event.Acknowledging> owed = new ArrayList<>();

    HeldWrites(Predicate<PartitionKey> isHeld) {
        this.isHeld = isHeld;
    }

    /** @return whether it waits */
    boolean holds(Event.WriteStarted write) {
        boolean held = write.keys().stream().anyMatch(isHeld);
        if (held) {
            keep(write);
        }
        return held;
    }

    /** It waits for something else, and is to be looked at anew at the next round. */
    void keep(Event.WriteStarted write) {
        writes.put(write.writeId(), write);
    }

    void abandoned(long writeId) {
        writes.remove(writeId);
    }

    /** A replica owes this one; beyond some thousand the coordinators learn of the stamps by announcements alone. */
    void owe(Event.Acknowledging acknowledging) {
        if (owed.size() < MOST_OWED) {
            owed.add(acknowledging);
        }
    }

    boolean isNone() {
        return writes.isEmpty() && owed.isEmpty();
    }

    /** Those that need not wait any more, or whose table is gone: they are to be looked at anew. */
    List<Event.WriteStarted> takeWrites() {
        List<Event.WriteStarted> due = new ArrayList<>();
        writes.values().removeIf(write -> write.keys().stream().noneMatch(isHeld) && due.add(write));
        return due;
    }

    List<Event.Acknowledging> takeOwed() {
        List<Event.Acknowledging> due = new ArrayList<>();
        owed.removeIf(each -> !isHeld.test(each.key()) && due.add(each));
        return due;
    }
}
