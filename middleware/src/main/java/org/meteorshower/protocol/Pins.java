/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cuts that scans read at. While a cut is pinned, every partition of the scan's range can be answered at it:
 * mutations that are visible only later are not forgotten, nor do they sink, so what the rows held before them stays.
 * And each partition is noted in which something is in flight, from when the cut was pinned on: what a scan finds of
 * any other in the store is its content at the cut.
 *
 * <p>A pin ends with its scan, or earlier: after {@link #LONGEST_NANOS}, or when what is in flight has grown by a part
 * of what records may take, or more than {@link #MOST_IN_ONE} mutations are in flight in one partition. Scans give way,
 * never writes. Used by the core's thread only.
 */
final class Pins {
    /** So many scans at a time; one more is refused. */
    static final int MOST = 64;

    private static final long LONGEST_NANOS = 30_000_000_000L;

    /** Of what records may take: by so much it may grow while a cut is pinned. */
    private static final int GROWTH_PART = 4;

    /** Of what records may take: the names of stirred partitions may take so much. */
    private static final int NAMES_PART = 16;

    /** Each record of a partition is looked at by each of its reads. */
    private static final int MOST_IN_ONE = 1_000;

    /** One scan's cut. */
    static final class Pin {
        final long readId;
        final ScanRange range;

        /** Never decreases. */
        private long cutMicros;

        private final long untilNanos;
        private final Load before;
        private final Set<PartitionKey> stirred = new LinkedHashSet<>();

        private Pin(long readId, ScanRange range, long cutMicros, long untilNanos, Load before) {
            this.readId = readId;
            this.range = range;
            this.cutMicros = cutMicros;
            this.untilNanos = untilNanos;
            this.before = before;
        }

        long cutMicros() {
            return cutMicros;
        }

        /** From now on only this cut is kept, which is not older. What was stirred since the first one stays so. */
        void raise(long toMicros) {
            cutMicros = toMicros;
        }

        private boolean contains(PartitionKey key) {
            return key.table().equals(range.table()) && range.contains(key);
        }

        /** In which something was in flight when the cut was pinned, or since. */
        List<PartitionKey> stirred() {
            return List.copyOf(stirred);
        }
    }

    private final LiveSettings settings;
    private final Turn turn;
    private final Map<Long, Pin> pins = new LinkedHashMap<>();
    private long nameBytes;

    Pins(LiveSettings settings, Turn turn) {
        this.settings = settings;
        this.turn = turn;
    }

    boolean areFull() {
        return pins.size() >= MOST;
    }

    int size() {
        return pins.size();
    }

    @Nullable
    Pin get(long readId) {
        return pins.get(readId);
    }

    /** @param before what is kept just now */
    void pin(long readId, ScanRange range, long cutMicros, Set<PartitionKey> inFlight, Load before) {
        Pin pin = new Pin(readId, range, cutMicros, turn.nanos() + LONGEST_NANOS, before);
        pins.put(readId, pin);
        inFlight.forEach(key -> note(pin, key));
    }

    /** Something is in flight in the partition from now on: before the store has it, and before any cut is told. */
    void stirred(PartitionKey key, int inFlight) {
        if (pins.isEmpty()) {
            return;
        }
        for (Pin pin : List.copyOf(pins.values())) {
            if (!pin.contains(key)) {
                continue;
            }
            note(pin, key);
            if (inFlight > MOST_IN_ONE) {
                lose(pin, "more than " + MOST_IN_ONE + " mutations of one partition came meanwhile");
            } else if (areNamesTooMany()) {
                lose(pin, "too many partitions were written meanwhile");
            }
        }
    }

    private boolean areNamesTooMany() {
        return nameBytes > settings.now().recordsBytes() / NAMES_PART;
    }

    private void note(Pin pin, PartitionKey key) {
        if (pin.stirred.add(key)) {
            nameBytes += Footprint.STIRRED + key.bytes().length;
        }
    }

    /**
     * Whether reads of the partition can do without the cuts below this one: no pinned cut is among them. To be asked
     * before a mutation that is visible from there on is forgotten, or sinks.
     */
    boolean mayForget(PartitionKey key, long visibleFromMicros) {
        for (Pin pin : pins.values()) {
            if (pin.cutMicros < visibleFromMicros && pin.contains(key)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The floor of a partition in which nothing was in flight until now. That of all such partitions may be above a
     * pinned cut, since other partitions have come to rest meanwhile; in this one nothing has been forgotten since that
     * was visible only later.
     *
     * @param atRestMicros that of all such partitions
     */
    long floorOf(PartitionKey key, long atRestMicros) {
        long floor = atRestMicros;
        for (Pin pin : pins.values()) {
            if (pin.cutMicros < floor && pin.contains(key)) {
                floor = pin.cutMicros;
            }
        }
        return floor;
    }

    /** The scan is over. */
    void end(long readId) {
        Pin pin = pins.remove(readId);
        if (pin != null) {
            for (PartitionKey key : pin.stirred) {
                nameBytes -= Footprint.STIRRED + key.bytes().length;
            }
        }
    }

    /** The cut cannot be answered any more, or is not to be. Who scans begins anew. */
    void lose(Pin pin, String why) {
        end(pin.readId);
        turn.emit(new Effect.ReadFailed(pin.readId, Effect.Failure.CUT_GONE, why));
    }

    /** What is in the table's store is not what this node knows of any more. */
    void loseAll(UUID table, String why) {
        for (Pin pin : new ArrayList<>(pins.values())) {
            if (pin.range.table().equals(table)) {
                lose(pin, why);
            }
        }
    }

    /**
     * To be called in each round, before anything is looked at that may go.
     *
     * @param kept by all records
     */
    void round(Load kept) {
        if (pins.isEmpty()) {
            return;
        }
        Load growth = new Load(
                settings.now().maxRecords() / GROWTH_PART, settings.now().recordsBytes() / GROWTH_PART);
        boolean crowded = kept.bytes() > RecordLimits.crowdedBytes(settings) || areNamesTooMany();
        for (Pin pin : new ArrayList<>(pins.values())) {
            if (turn.nanos() - pin.untilNanos >= 0) {
                lose(pin, "its cut was kept for " + LONGEST_NANOS / 1_000_000_000 + " s, the longest there is");
            } else if (crowded || kept.minus(pin.before).exceeds(growth)) {
                lose(pin, "what is in flight here takes too much to keep the scan's cut");
            }
        }
    }

    long nameBytes() {
        return nameBytes;
    }
}
