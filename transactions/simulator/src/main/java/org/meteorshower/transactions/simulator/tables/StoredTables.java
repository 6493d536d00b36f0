/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.tables;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** The rows of a data centre's disk: the editions with their versions, and the users' tables, which keep no past. */
public final class StoredTables {
    /** Keys. */
    private static final int LARGEST_PAGE = 8;

    /** What rows were before any transaction: the same in all editions, and lost to the users' tables. */
    private static final int BASE = 0;

    private record Stored(Row row, long previous) {}

    /** What is forgotten stays forgotten, whatever comes late. */
    private static final class Versions {
        private final TreeMap<Long, Stored> kept = new TreeMap<>();
        private long forgotten;

        void put(long version, Stored stored) {
            if (version >= forgotten) {
                kept.put(version, stored);
            }
        }

        void forget(long below) {
            forgotten = Math.max(forgotten, below);
            kept.headMap(below).clear();
        }
    }

    private final Map<Integer, TreeMap<RowKey, Versions>> editions = new HashMap<>();
    private final Map<RowKey, StoredRow> users = new HashMap<>();

    /** By edition, the keys of rows in ranges: the last version that wrote or forgot each. */
    private final Map<Integer, TreeMap<RowKey, Told>> keys = new HashMap<>();

    /**
     * Rows that are to be looked at, by when, each with the process that noted it last. What one forgets is what it, or
     * an earlier one, has noted.
     */
    private final TreeMap<Long, Map<RowKey, Long>> due = new TreeMap<>();

    private record Told(long version, boolean isForgotten) {
        static Told later(Told one, Told other) {
            boolean first = one.version > other.version || (one.version == other.version && one.isForgotten);
            return first ? one : other;
        }
    }

    /** What users had written before transactions began. */
    public void seed(Map<RowKey, Row> rows) {
        rows.forEach((key, row) -> users.put(key, new StoredRow(0, row)));
    }

    private NavigableMap<RowKey, Versions> edition(int number) {
        return editions.computeIfAbsent(number, n -> new TreeMap<>());
    }

    /**
     * @param below a version, excluded
     * @param fenced whether another process has taken the store over: it may have forgotten what is not there, and have
     *     written it again since
     */
    public StoredRow read(int edition, long below, RowKey key, boolean fenced) {
        StoredRow found = read(edition, below, key);
        boolean isSure = found.version() > 0 && found.row().exists();
        return fenced && !isSure ? new StoredRow(StoredRow.PAST_GONE, Row.ABSENT) : found;
    }

    private StoredRow read(int edition, long below, RowKey key) {
        Versions versions = edition(edition).get(key);
        if (versions == null || versions.kept.isEmpty()) {
            StoredRow before = base(key);
            if (before != null) {
                return before;
            }
            StoredRow user = users.get(key);
            // What was written later has taken the place of what there was.
            return user != null && user.version() == 0 ? user : StoredRow.NEVER_WRITTEN;
        }
        Map.Entry<Long, Stored> newest = versions.kept.lowerEntry(below);
        if (newest != null) {
            return new StoredRow(newest.getKey(), newest.getValue().row());
        }
        StoredRow unkept =
                StoredRow.unkept(versions.kept.firstEntry().getValue().previous(), below);
        if (unkept != null) {
            return unkept;
        }
        // No transaction had written it, but users may have, and the edition may have forgotten what.
        StoredRow before = base(key);
        return before == null ? StoredRow.NEVER_WRITTEN : before;
    }

    private @Nullable StoredRow base(RowKey key) {
        Versions before = edition(BASE).get(key);
        return before == null
                ? null
                : new StoredRow(0, before.kept.firstEntry().getValue().row());
    }

    /** Comes before {@link #write}, as far as anything comes. */
    public void writeKey(int edition, RowWrite write) {
        if (write.isPurge()) {
            tell(edition, write.key(), new Told(write.row().version(), true));
        } else if (write.isNew()) {
            tell(edition, write.key(), new Told(write.row().version(), false));
        }
        if (write.base() != null) {
            tell(BASE, write.key(), new Told(0, false));
        }
    }

    private void tell(int edition, RowKey key, Told told) {
        keys.computeIfAbsent(edition, n -> new TreeMap<>()).merge(key, told, Told::later);
    }

    /**
     * A page of keys of rows that may be in a range: rather small ones, or simulated partitions would have one each.
     */
    public Event.KeysRead keys(Effect.ReadKeys read) {
        Range range = read.range();
        TreeSet<RowKey> all = new TreeSet<>(range.inOrder());
        users.forEach((key, row) -> {
            if (row.version() == 0 && range.contains(key)) {
                all.add(key);
            }
        });
        for (int number : List.of(BASE, read.edition())) {
            range.partition()
                    .part(keys.computeIfAbsent(number, n -> new TreeMap<>()))
                    .forEach((key, told) -> {
                        if (!told.isForgotten() && range.contains(key)) {
                            all.add(key);
                        }
                    });
        }
        SortedSet<RowKey> behind = read.after() == null ? all : all.tailSet(read.after(), false);
        long most = Math.min(read.most(), 1 + read.request() % LARGEST_PAGE);
        List<RowKey> page = behind.stream().limit(most).toList();
        return new Event.KeysRead(read.request(), page, behind.size() > page.size());
    }

    /** Comes in no order with {@link #write}. */
    public void writeDue(RowWrite write, long life) {
        noteDue(write.key(), write.due(), life);
    }

    private void noteDue(RowKey key, long millis, long life) {
        if (millis != RowWrite.NOT_DUE) {
            due.computeIfAbsent(millis, at -> new HashMap<>()).merge(key, life, Math::max);
        }
    }

    /** A page of rows of which something has ended: a rather small one. */
    public Event.DueRead due(Effect.ReadDue read, long life) {
        Set<RowKey> ended = new TreeSet<>();
        Set<RowKey> later = new TreeSet<>();
        long told = read.belowMillis();
        for (Map.Entry<Long, Map<RowKey, Long>> at :
                due.subMap(read.fromMillis(), read.belowMillis()).entrySet()) {
            if (ended.size() > Math.min(read.most(), read.request() % LARGEST_PAGE)) {
                told = at.getKey();
                break;
            }
            for (RowKey key : at.getValue().keySet()) {
                long ends = newest(read.edition(), key).endsFirst();
                if (ends <= read.byMillis()) {
                    ended.add(key);
                } else if (ends != Row.NEVER) {
                    later.add(key);
                }
            }
        }
        later.forEach(key -> noteDue(key, newest(read.edition(), key).endsFirst(), life));
        Long next = due.ceilingKey(told);
        return new Event.DueRead(read.request(), List.copyOf(ended), told, next == null ? Long.MAX_VALUE : next);
    }

    private Row newest(int edition, RowKey key) {
        Versions versions = edition(edition).get(key);
        return versions == null || versions.kept.isEmpty()
                ? Row.ABSENT
                : versions.kept.lastEntry().getValue().row();
    }

    public void forgetDue(long below, long life) {
        due.headMap(below).values().forEach(keys -> keys.values().removeIf(by -> by <= life));
        due.values().removeIf(Map::isEmpty);
    }

    /** Rows of an edition of which something ends. */
    public long expiring(int edition) {
        return edition(edition).keySet().stream()
                .filter(key -> newest(edition, key).endsFirst() != Row.NEVER)
                .count();
    }

    public void write(int edition, RowWrite write) {
        Versions versions = edition(edition).computeIfAbsent(write.key(), key -> new Versions());
        if (!write.isPurge()) {
            Row base = write.base();
            if (base != null) {
                versions.put(0, new Stored(base, 0));
                edition(BASE)
                        .computeIfAbsent(write.key(), key -> new Versions())
                        .put(0, new Stored(base, 0));
            }
            versions.put(write.row().version(), new Stored(write.row().row(), write.previous()));
            toUsers(write.key(), write.row());
        }
        // What users had before is kept for all editions: some edition must go on saying that it is gone.
        if (!write.isPurge() || !edition(BASE).containsKey(write.key())) {
            versions.forget(write.forgetBelow());
        }
    }

    /** Rows of which an edition says that they are absent, though it need not. */
    public long needlesslyAbsent(int edition) {
        return edition(edition).entrySet().stream()
                .filter(row -> !row.getValue().kept.isEmpty()
                        && !row.getValue().kept.lastEntry().getValue().row().exists()
                        && !edition(BASE).containsKey(row.getKey()))
                .count();
    }

    /** What users see. */
    public Row seenByUsers(RowKey key) {
        StoredRow row = users.get(key);
        return row == null ? Row.ABSENT : row.row();
    }

    /** In words. */
    public String shown(RowKey key) {
        return String.valueOf(users.get(key));
    }

    /** All rows that users see. */
    public Map<RowKey, Row> scan() {
        Map<RowKey, Row> rows = new HashMap<>();
        users.forEach((key, row) -> {
            if (row.row().exists() && !SessionId.isRowOfOne(key)) {
                rows.put(key, row.row());
            }
        });
        return rows;
    }

    /** Last write wins; of two of one version a deletion, as Cassandra has it. */
    private void toUsers(RowKey key, StoredRow row) {
        users.merge(
                key,
                row,
                (a, b) -> a.version() > b.version()
                                || (a.version() == b.version() && !a.row().exists())
                        ? a
                        : b);
    }

    public void writePage(Effect.WritePage page, long life, BooleanSupplier arrives) {
        for (RowWrite write : page.writes()) {
            if (arrives.getAsBoolean()) {
                writeDue(write, life);
                writeKey(page.edition(), write);
                write(page.edition(), write);
            }
        }
    }

    /** A page of rows as of a limit, in the order of their names, which are the places. */
    public Event.PageRead page(Effect.ReadPage read) {
        String place = read.place();
        NavigableMap<RowKey, Versions> from = place.isEmpty()
                ? edition(read.edition())
                : edition(read.edition()).tailMap(named(place), false);
        Map<RowKey, StoredRow> rows = new HashMap<>();
        Map<RowKey, Row> bases = new HashMap<>();
        long taken = 0;
        String next = "";
        for (Map.Entry<RowKey, Versions> entry : from.entrySet()) {
            if (taken >= read.bytes()) {
                next = next.isEmpty() ? place : next;
                return new Event.PageRead(read.request(), rows, bases, next);
            }
            Map.Entry<Long, Stored> newest = entry.getValue().kept.lowerEntry(read.below());
            if (newest != null) {
                rows.put(
                        entry.getKey(),
                        new StoredRow(newest.getKey(), newest.getValue().row()));
                taken += Weight.of(newest.getValue().row());
                StoredRow base = base(entry.getKey());
                if (base != null && read.withBases()) {
                    bases.put(entry.getKey(), base.row());
                }
            }
            next = entry.getKey().table() + "/" + entry.getKey().key();
        }
        return new Event.PageRead(read.request(), rows, bases, "");
    }

    private static RowKey named(String place) {
        int slash = place.indexOf('/');
        return new RowKey(place.substring(0, slash), place.substring(slash + 1));
    }

    /**
     * What an earlier edition has put into the users' tables, or a repair has brought there, and this one does not know
     * was deleted since, and is forgotten.
     */
    public void forgetEditions(int below, long count) {
        NavigableMap<RowKey, Versions> present = edition(below);
        editions.forEach((number, rows) -> {
            if (number < below && number != BASE) {
                rows.forEach((key, versions) -> {
                    Versions now = present.get(key);
                    boolean isGone = now == null || now.kept.isEmpty();
                    if (isGone && !versions.kept.isEmpty() && versions.kept.lastKey() < Version.endOf(count)) {
                        toUsers(key, new StoredRow(versions.kept.lastKey(), Row.ABSENT));
                    }
                });
            }
        });
        users.replaceAll(
                (key, row) -> isStray(key, row, present, count) ? new StoredRow(row.version(), Row.ABSENT) : row);
        editions.keySet().removeIf(number -> number < below && number != BASE);
        keys.keySet().removeIf(number -> number < below && number != BASE);
    }

    private boolean isStray(RowKey key, StoredRow shown, Map<RowKey, Versions> present, long count) {
        Versions told = present.get(key);
        return shown.version() > 0
                && shown.version() < Version.endOf(count)
                && (told == null || told.kept.isEmpty())
                && !edition(BASE).containsKey(key);
    }

    /**
     * Takes over some of what another data centre's users' tables hold that is newer, but not in place of what users
     * had before: a table that is repaired while this data centre lags loses that. No store brings versions, or keys,
     * from one data centre to another: they are in a keyspace that is replicated in one alone.
     */
    public void repairFrom(StoredTables other, BooleanSupplier chosen) {
        new TreeMap<>(other.users).forEach((key, theirs) -> {
            StoredRow own = users.get(key);
            if (chosen.getAsBoolean() && theirs.version() > 0 && (own == null || own.version() > 0)) {
                toUsers(key, theirs);
            }
        });
    }

    public void lose() {
        editions.clear();
        users.clear();
        keys.clear();
        due.clear();
    }
}
