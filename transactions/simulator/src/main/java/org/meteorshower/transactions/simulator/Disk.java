/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.simulator.tables.StoredTables;

/** What a data centre's replicas hold, shared by all processes that ever run there. Knows nothing of delays. */
final class Disk {
    /**
     * What stands at a position of a lane.
     *
     * @param ballot the highest under which something was accepted; none where nothing was
     */
    private record Place(long ballot, boolean isLearned, Entry entry) {
        Place with(Entry other) {
            return new Place(ballot, isLearned, other);
        }

        static Place later(Place kept, Place told) {
            boolean stays = kept.isLearned || (!told.isLearned && kept.ballot > told.ballot);
            return new Place(
                    Math.max(kept.ballot, told.ballot),
                    kept.isLearned || told.isLearned,
                    stays ? kept.entry : told.entry);
        }
    }

    private final int dcs;
    private final int self;
    private final Map<Integer, Long> promises = new HashMap<>();
    private final Map<Integer, Long> floors = new HashMap<>();
    private final Map<Integer, Long> bars = new HashMap<>();
    private final Map<Integer, Long> settled = new HashMap<>();
    private final Map<Integer, TreeMap<Long, Place>> log = new HashMap<>();
    private final Map<Integer, Durable.Generation> generations = new HashMap<>();
    final StoredTables tables = new StoredTables();
    final StoredChanges changes = new StoredChanges();
    private Durable.@Nullable Done done;
    private Durable.@Nullable Installing installing;
    private final Records records = new Records();
    private boolean blank;
    private long fence;
    private int format = Formats.FIRST;

    Disk(int self, int dcs) {
        this.self = self;
        this.dcs = dcs;
    }

    long fence() {
        return fence;
    }

    void writeFence(long life) {
        fence = life;
    }

    /** The format that is noted. */
    int format() {
        return format;
    }

    /** A lower one never wins. */
    void note(int noted) {
        format = Math.max(format, noted);
    }

    /** Whether the log holds entries that earlier releases cannot read. */
    boolean hasFronts() {
        return log.values().stream()
                .anyMatch(lane -> lane.values().stream().anyMatch(place -> place.entry.isFronted()));
    }

    void write(Durable record) {
        record.handOver(records);
    }

    /** What each kind of record changes. */
    private final class Records implements Durable.Handler {
        @Override
        public void on(Durable.Promise promise) {
            promises.merge(promise.lane(), promise.ballot(), Math::max);
        }

        @Override
        public void on(Durable.Accept accept) {
            put(accept.lane(), accept.position(), new Place(accept.ballot(), false, accept.entry()));
        }

        @Override
        public void on(Durable.Learned learned) {
            put(learned.lane(), learned.position(), new Place(Ballot.NONE, true, learned.entry()));
        }

        @Override
        public void on(Durable.Truncate truncate) {
            floors.merge(truncate.lane(), truncate.floor(), Math::max);
            lane(truncate.lane()).headMap(truncate.floor()).clear();
        }

        @Override
        public void on(Durable.Barred barred) {
            bars.merge(barred.lane(), barred.below(), Math::max);
        }

        @Override
        public void on(Durable.Settled reached) {
            settled.merge(reached.lane(), reached.below(), Math::max);
        }

        @Override
        public void on(Durable.Generation generation) {
            generations.merge(
                    generation.dc(),
                    generation,
                    BinaryOperator.maxBy(Comparator.comparingInt(Durable.Generation::generation)
                            .thenComparingLong(Durable.Generation::life)));
            blank &= generation.dc() != self;
        }

        @Override
        public void on(Durable.Installing wanted) {
            installing = newer(installing, wanted);
        }

        @Override
        public void on(Durable.Done checkpoint) {
            if (checkpoint.edition() > (done == null ? 0 : done.edition())
                    && checkpoint.edition() > Recovery.FIRST_EDITION) {
                changes.skips(checkpoint.checkpoint().count());
            }
            done = newer(done, checkpoint);
        }
    }

    private static Durable.Installing newer(Durable.@Nullable Installing kept, Durable.Installing told) {
        boolean older = kept != null
                && (told.edition() < kept.edition() || (told.edition() == kept.edition() && told.said() < kept.said()));
        return older && kept != null ? kept : told;
    }

    private static Durable.Done newer(Durable.@Nullable Done kept, Durable.Done told) {
        boolean older = kept != null
                && (told.edition() < kept.edition()
                        || (told.edition() == kept.edition()
                                && told.checkpoint().count() < kept.checkpoint().count()));
        return older && kept != null ? kept : told;
    }

    private void put(int lane, long position, Place place) {
        if (position >= floors.getOrDefault(lane, 0L)) {
            Place stored = place.entry.isFronted() ? place.with(asRead(place.entry)) : place;
            lane(lane).merge(position, stored, Place::later);
        }
    }

    /** Whoever reads it finds bytes, and nothing that a process has made of them. */
    private static Entry asRead(Entry entry) {
        try {
            return LogCodec.entry(LogCodec.bytes(entry));
        } catch (BadDataException e) {
            throw new IllegalStateException("an entry that nobody can read", e);
        }
    }

    private NavigableMap<Long, Place> lane(int lane) {
        return log.computeIfAbsent(lane, l -> new TreeMap<>());
    }

    /** Entries without a gap from a position on. */
    List<Entry> read(int lane, long from, long below, int bytes) {
        List<Entry> entries = new ArrayList<>();
        long taken = 0;
        for (Map.Entry<Long, Place> each :
                lane(lane).subMap(from, Math.max(from, below)).entrySet()) {
            if (each.getKey() != from + entries.size() || taken >= bytes) {
                break;
            }
            Entry entry = each.getValue().entry;
            entries.add(entry);
            taken += entry.weight();
        }
        return entries;
    }

    /** Everything is gone. */
    void lose() {
        promises.clear();
        floors.clear();
        bars.clear();
        settled.clear();
        log.clear();
        generations.clear();
        done = null;
        installing = null;
        tables.lose();
        changes.lose();
        fence = 0;
        blank = true;
    }

    /** Rows of which the tables say that they are absent, though nobody needs that. */
    long needlesslyAbsent() {
        Durable.Done last = done;
        return last == null ? 0 : tables.needlesslyAbsent(last.edition());
    }

    /** Rows of which something ends. */
    long expiring() {
        Durable.Done last = done;
        return last == null ? 0 : tables.expiring(last.edition());
    }

    Recovery recover(long life) {
        if (blank) {
            return Recovery.blank(dcs, life, newestEdition());
        } else if (generations.isEmpty() && done == null && log.isEmpty()) {
            return Recovery.founding(dcs, life);
        }
        Durable.Done last = done;
        Checkpoint checkpoint = last == null ? Checkpoint.first(dcs) : last.checkpoint();
        Durable.Generation own = generations.get(self);
        boolean wasLost = own != null && own.generation() > 1 && last == null;
        int edition = last == null ? (wasLost ? 0 : Recovery.FIRST_EDITION) : last.edition();
        Durable.Installing cut = installing;
        List<AcceptorState> states = new ArrayList<>();
        List<List<AcceptedEntry>> learned = new ArrayList<>();
        List<Long> settledBelow = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        Map<Integer, Long> lives = new HashMap<>();
        for (int i = 0; i < dcs; i++) {
            long from =
                    Math.max(settled.getOrDefault(i, 0L), checkpoint.positions().get(i));
            settledBelow.add(from);
            states.add(new AcceptorState(
                    promises.getOrDefault(i, 0L),
                    Math.max(floors.getOrDefault(i, 0L), bars.getOrDefault(i, 0L)),
                    above(i, from, false)));
            learned.add(above(i, from, true));
            Durable.Generation generation = generations.get(i);
            numbers.add(generation == null ? 1 : generation.generation());
            if (generation != null && generation.life() != Durable.Generation.HEARD_OF) {
                lives.put(i, generation.life());
            }
        }
        return new Recovery(
                life,
                numbers.get(self),
                numbers,
                lives,
                states,
                learned,
                settledBelow,
                checkpoint,
                edition,
                Math.max(edition, newestEdition()),
                cut != null && cut.edition() > edition ? cut : null,
                0);
    }

    private int newestEdition() {
        return Math.max(done == null ? 0 : done.edition(), installing == null ? 0 : installing.edition());
    }

    private List<AcceptedEntry> above(int lane, long from, boolean learned) {
        return log.containsKey(lane)
                ? lane(lane).tailMap(from).entrySet().stream()
                        .filter(each -> learned == each.getValue().isLearned)
                        .map(each -> new AcceptedEntry(each.getKey(), each.getValue().ballot, each.getValue().entry))
                        .toList()
                : Collections.emptyList();
    }
}
