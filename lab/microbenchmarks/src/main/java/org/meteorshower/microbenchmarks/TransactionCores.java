/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.Catenae;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.language.Digest;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.StoredRow;

/**
 * Catenae's cores of some data centres, in one thread. Messages go through their bytes and arrive within the call, and
 * what is to be durable is so at once. Used by one thread.
 */
final class TransactionCores {
    private static final long START_MICROS = 1_700_000_000_000_000L;
    private static final long LIFE = 1;

    private record Mail(int to, Event event) {}

    private final List<Catenae> cores = new ArrayList<>();
    private final List<MessageCodec> codecs = new ArrayList<>();

    /** Of each data centre, of each row, its versions. There is one edition, since nobody falls behind. */
    private final List<Map<RowKey, NavigableMap<Long, StoredRow>>> tables = new ArrayList<>();

    private final ArrayDeque<Mail> mail = new ArrayDeque<>();
    private long micros;
    private long clients;
    private long answered;

    /** @param format that all use, see {@link org.meteorshower.transactions.log.Formats} */
    TransactionCores(int dcs, int format) {
        for (int dc = 0; dc < dcs; dc++) {
            Members members = new Members(dc, dcs);
            cores.add(new Catenae(members, Settings.DEFAULT, Recovery.founding(dcs, LIFE), row -> Digest.mix(0, row)));
            codecs.add(new MessageCodec(members));
            tables.add(new HashMap<>());
            step(dc, new Event.UsesFormat(format));
        }
        run(3_000_000);
    }

    /** Lets time pass, with a tick of each every millisecond. */
    void run(long spanMicros) {
        for (long end = micros + spanMicros; micros < end; ) {
            micros += 1_000;
            for (int dc = 0; dc < cores.size(); dc++) {
                step(dc, new Event.Tick());
            }
            deliver();
        }
    }

    void submit(int dc, Transaction transaction) {
        clients++;
        step(dc, new Event.Submitted(clients, new Request.Once(transaction), Long.MAX_VALUE));
    }

    /** Lets time pass until everything that was submitted is answered. Returns how many answers there have been. */
    long settle() {
        for (int left = 1_000; answered < clients; left--) {
            if (left == 0) {
                throw new IllegalStateException(clients - answered + " submissions are not answered within a second");
            }
            run(1_000);
        }
        return answered;
    }

    private void deliver() {
        for (Mail next = mail.poll(); next != null; next = mail.poll()) {
            step(next.to, next.event);
        }
    }

    private void step(int dc, Event event) {
        byte[] bytes = {};
        Object encoded = null;
        for (Effect effect : cores.get(dc).step(event, new Now(START_MICROS + micros, 1_000 * micros))) {
            if (effect instanceof Effect.Send send) {
                if (encoded != send.message()) { // most messages go to all others
                    bytes = codecs.get(dc).encode(send.message());
                    encoded = send.message();
                }
                mail.add(new Mail(send.to(), received(dc, send.to(), bytes)));
            } else if (effect instanceof Effect.Reply) {
                answered++;
            } else {
                stored(dc, effect);
            }
        }
    }

    private Event received(int from, int to, byte[] bytes) {
        try {
            return new Event.Received(from, codecs.get(to).decode(bytes));
        } catch (BadDataException e) {
            throw new IllegalStateException(e);
        }
    }

    private void stored(int dc, Effect effect) {
        if (effect instanceof Effect.Persist persist) {
            mail.add(new Mail(dc, new Event.Persisted(persist.batch(), LIFE)));
        } else if (effect instanceof Effect.WriteRows write) {
            write.rows().forEach(row -> write(tables.get(dc), row));
            mail.add(new Mail(dc, new Event.RowsWritten(write.cut())));
        } else if (effect instanceof Effect.ReadRows read) {
            Map<RowKey, StoredRow> found = new HashMap<>();
            read.rows()
                    .forEach(row -> found.put(
                            row, newestBelow(read.below(), tables.get(dc).get(row))));
            mail.add(new Mail(dc, new Event.RowsRead(read.edition(), found)));
        } else if (effect instanceof Effect.Alarm alarm && alarm.kind() == Effect.AlarmKind.STOPPED) {
            throw new IllegalStateException(alarm.detail());
        }
    }

    private static void write(Map<RowKey, NavigableMap<Long, StoredRow>> table, RowWrite write) {
        NavigableMap<Long, StoredRow> versions = table.computeIfAbsent(write.key(), key -> new TreeMap<>());
        versions.put(write.row().version(), write.row());
        versions.headMap(write.forgetBelow(), false).clear();
    }

    private static StoredRow newestBelow(long limit, @Nullable NavigableMap<Long, StoredRow> versions) {
        Map.Entry<Long, StoredRow> newest = versions == null ? null : versions.lowerEntry(limit);
        return newest == null ? StoredRow.NEVER_WRITTEN : newest.getValue();
    }
}
