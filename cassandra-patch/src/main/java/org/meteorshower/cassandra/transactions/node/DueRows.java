/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.Mutation;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;

/**
 * Which rows are to be looked at when, since something of them ends: by minute, and from which minute on there are any.
 * Rather too many: what a row holds, its versions say. All is written with the life of the process that writes it, so
 * that what a replaced one forgets is not what its successor has noted. Blocks; thread-safe.
 */
final class DueRows {
    private static final long MINUTE_MILLIS = 60_000;
    private static final String FIRST = "due_from";

    /** Notes that are read together. */
    private static final int PAGE = 500;

    /** Notes that are looked at in one read. */
    private static final int MOST_LOOKED_AT = 10_000;

    /** Minutes that are looked at in one read: where nothing was done for long, most have nothing. */
    private static final int MOST_MINUTES = 1_000;

    private final LogKeyspace keyspace;
    private final RowVersions versions;
    private final long life;
    private final Consumer<List<Mutation>> writer;
    private final String firstPage;
    private final String page;
    private final String next;

    /** Minutes that have any, of those that were looked at. */
    private final Set<Long> minutes = new TreeSet<>();

    /** The first minute that may have any; {@link Long#MAX_VALUE} where none has. */
    private long first;

    private boolean loaded;

    /** @param writer writes until a quorum has each */
    DueRows(LogKeyspace keyspace, RowVersions versions, long life, Consumer<List<Mutation>> writer) {
        this.keyspace = keyspace;
        this.versions = versions;
        this.life = life;
        this.writer = writer;
        String from = " FROM " + keyspace.table(LogKeyspace.DUE) + " WHERE minute = ? AND ";
        String notes = "SELECT due, tbl, key" + from;
        firstPage = notes + "due >= ? AND due < ? LIMIT " + PAGE;
        page = notes + "(due, tbl, key) > (?, ?, ?) AND due < ? LIMIT " + PAGE;
        next = "SELECT due" + from + "due >= ? LIMIT 1";
    }

    /** A row that is to be looked at. */
    private record Note(long due, RowKey key) {}

    /** What notes those rows that need it. None is noted for a time that is over here already. */
    List<Mutation> of(List<RowWrite> rows) {
        List<Note> notes = new ArrayList<>();
        for (RowWrite row : rows) {
            if (row.due() != RowWrite.NOT_DUE) {
                notes.add(new Note(row.due(), row.key()));
            }
        }
        return mutations(notes);
    }

    private List<Mutation> mutations(List<Note> notes) {
        if (notes.isEmpty()) {
            return List.of();
        }
        long from = begin(notes.stream().mapToLong(Note::due).min().getAsLong()) * MINUTE_MILLIS;
        Map<Long, List<Note>> byMinute = new LinkedHashMap<>();
        for (Note note : notes) {
            Note noted = new Note(Math.max(note.due, from), note.key);
            byMinute.computeIfAbsent(noted.due / MINUTE_MILLIS, minute -> new ArrayList<>())
                    .add(noted);
        }
        List<Mutation> mutations = new ArrayList<>();
        byMinute.forEach((minute, its) -> {
            Mutation.SimpleBuilder mutation =
                    Mutation.simpleBuilder(keyspace.name(), keyspace.key(LogKeyspace.DUE, minute));
            for (Note note : its) {
                mutation.update(keyspace.metadata(LogKeyspace.DUE))
                        .row(note.due, note.key.table(), note.key.key())
                        .timestamp(life);
            }
            mutations.add(mutation.build());
        });
        return mutations;
    }

    private synchronized void seen(long minute) {
        minutes.add(minute);
    }

    /** The first minute, which is known to who comes later before anything is noted. */
    private synchronized long begin(long due) {
        load();
        if (first == Long.MAX_VALUE) {
            setFirst(due / MINUTE_MILLIS);
        }
        return first;
    }

    private synchronized long first() {
        load();
        return first;
    }

    /** What an earlier process has left is noted anew, so that it does not go on from there. */
    private void load() {
        if (loaded) {
            return;
        }
        UntypedResultSet found = keyspace.read(
                keyspace.key("checkpoints", LogKeyspace.PARTITION),
                "SELECT content FROM " + keyspace.table("checkpoints") + " WHERE part = " + LogKeyspace.PARTITION
                        + " AND kind = '" + FIRST + "'");
        first = Long.MAX_VALUE;
        if (!found.isEmpty()) {
            setFirst(found.one().getBlob("content").duplicate().getLong());
        }
        loaded = true;
    }

    private void setFirst(long minute) {
        Mutation.SimpleBuilder note =
                Mutation.simpleBuilder(keyspace.name(), keyspace.key("checkpoints", LogKeyspace.PARTITION));
        note.update(keyspace.metadata("checkpoints"))
                .row(FIRST)
                .timestamp(life)
                .add("content", ByteBuffer.allocate(Long.BYTES).putLong(0, minute));
        writer.accept(List.of(note.build()));
        first = minute;
    }

    Event.DueRead read(Effect.ReadDue read) {
        long begin = first();
        if (begin == Long.MAX_VALUE) {
            return new Event.DueRead(read.request(), List.of(), read.belowMillis(), Long.MAX_VALUE);
        }
        return new Looking(read, Math.max(read.fromMillis(), begin * MINUTE_MILLIS)).look();
    }

    /** One read, minute by minute. */
    private final class Looking {
        private final Effect.ReadDue read;
        private final long from;
        private final Set<RowKey> ended = new LinkedHashSet<>();
        private final List<Note> later = new ArrayList<>();
        private int left = MOST_LOOKED_AT;

        Looking(Effect.ReadDue read, long from) {
            this.read = read;
            this.from = from;
        }

        Event.DueRead look() {
            long below = read.belowMillis();
            long told = Math.max(from, read.fromMillis());
            long next = told;
            for (int minutes = MOST_MINUTES; minutes > 0 && told < below; minutes--) {
                long end = (told / MINUTE_MILLIS + 1) * MINUTE_MILLIS;
                Note stopped = minute(told / MINUTE_MILLIS, told, Math.min(end, below));
                if (stopped != null) {
                    told = stopped.due;
                    next = told;
                    break;
                }
                told = Math.min(end, below);
                next = told == end ? end : next(told, end);
            }
            noteLater();
            return new Event.DueRead(read.request(), List.copyOf(ended), Math.min(told, below), next);
        }

        /** Returns the note that is not looked at any more; null where all are. */
        private @Nullable Note minute(long minute, long begin, long below) {
            List<Note> notes = notes(minute, firstPage, minute, begin, below);
            while (true) {
                for (Note note : notes) {
                    // What has ended will be gone; else the next read must begin behind this one.
                    if (ended.size() >= read.most() || (left <= 0 && note.due > from)) {
                        return note;
                    }
                    look(note.key);
                    left--;
                }
                noteLater();
                if (notes.size() < PAGE) {
                    return null;
                }
                Note last = notes.get(notes.size() - 1);
                notes = notes(minute, page, minute, last.due, last.key.table(), last.key.key(), below);
            }
        }

        private void noteLater() {
            List<Mutation> noted = mutations(later);
            later.clear();
            if (!noted.isEmpty()) {
                writer.accept(noted);
            }
        }

        private void look(RowKey key) {
            long ends = versions.newestRow(read.edition(), key).endsFirst();
            if (ends <= read.byMillis()) {
                ended.add(key);
            } else if (ends != Row.NEVER) {
                later.add(new Note(ends, key));
            }
        }
    }

    private List<Note> notes(long minute, String select, Object... values) {
        List<Note> notes = new ArrayList<>();
        for (UntypedResultSet.Row row : keyspace.read(keyspace.key(LogKeyspace.DUE, minute), select, values)) {
            notes.add(new Note(row.getLong("due"), new RowKey(row.getString("tbl"), row.getString("key"))));
        }
        if (!notes.isEmpty()) {
            seen(minute);
        }
        return notes;
    }

    private long next(long from, long end) {
        long minute = from / MINUTE_MILLIS;
        UntypedResultSet found = keyspace.read(keyspace.key(LogKeyspace.DUE, minute), next, minute, from);
        if (found.isEmpty()) {
            return end;
        }
        seen(minute);
        return found.one().getLong("due");
    }

    /** Whole minutes. */
    void forget(long belowMillis) {
        long below = belowMillis / MINUTE_MILLIS;
        for (long minute : going(below)) {
            Mutation.SimpleBuilder mutation =
                    Mutation.simpleBuilder(keyspace.name(), keyspace.key(LogKeyspace.DUE, minute));
            mutation.update(keyspace.metadata(LogKeyspace.DUE)).timestamp(life).delete();
            writer.accept(List.of(mutation.build()));
        }
        gone(below);
    }

    private synchronized List<Long> going(long below) {
        return minutes.stream().filter(minute -> minute < below).toList();
    }

    private synchronized void gone(long below) {
        load();
        if (first < below) {
            setFirst(below);
            minutes.removeIf(minute -> minute < below);
        }
    }
}
