/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;

/**
 * Finds keys of rows that may be in a range. Where the users' table is still read it is read first: a row that goes
 * from it afterwards has had its key among {@link RowKeys} before. Thread-safe.
 */
final class KeyReading {
    private final RowKeys keys;
    private final UserTables tables;
    private final KeyCopies copies;
    private final Fence fence;
    private final long life;
    private final StoreThreads threads;
    private final ExecutorService reading;

    KeyReading(
            RowKeys keys,
            UserTables tables,
            KeyCopies copies,
            Fence fence,
            long life,
            StoreThreads threads,
            ExecutorService reading) {
        this.keys = keys;
        this.tables = tables;
        this.copies = copies;
        this.fence = fence;
        this.life = life;
        this.threads = threads;
        this.reading = reading;
    }

    /** Does not block. */
    void read(Effect.ReadKeys read, Consumer<Event> then) {
        threads.on(reading, () -> {
            Event.KeysRead found = threads.tried("read keys", () -> found(read));
            // A younger process may have purged rows, or forgotten the edition.
            if (threads.tried("read the fence", fence::life) == life) {
                then.accept(found);
            }
        });
    }

    /** Goes on until there is something to tell: who is told of nothing takes it for the end. */
    private Event.KeysRead found(Effect.ReadKeys read) {
        Range range = read.range();
        Stretch stretch = tables.stretch(range, read.after());
        RowKey after = read.after();
        while (true) {
            KeyPage page = page(read, stretch, after);
            List<RowKey> told = page.keys().stream()
                    .map(PlacedKey::key)
                    .filter(key -> isAskedFor(key, range, read.after()))
                    .toList();
            if (!told.isEmpty() || !page.more()) {
                return new Event.KeysRead(read.request(), told, page.more());
            }
            after = page.last().key();
            stretch = stretch.behind(page.last().place(), range.backward());
        }
    }

    /** Of a table that is not known here any more, all keys of the partition are read, wherever it is asked from. */
    private static boolean isAskedFor(RowKey key, Range range, @Nullable RowKey after) {
        return range.contains(key) && (after == null || range.inOrder().compare(key, after) > 0);
    }

    private KeyPage page(Effect.ReadKeys read, Stretch stretch, @Nullable RowKey after) {
        Range range = read.range();
        int most = read.most();
        List<KeyPage> pages = new ArrayList<>();
        if (!copies.has(range.partition().table())) {
            pages.add(KeyPage.of(tables.keys(range, after, most + 1), most));
        }
        pages.add(KeyPage.of(keys.read(read.edition(), range, stretch, most + 1), most));
        pages.add(KeyPage.of(keys.read(RowVersions.BASE, range, stretch, most + 1), most));
        return KeyPage.merged(pages, range.backward(), most);
    }
}
