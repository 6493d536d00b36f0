/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.ServerEffect;
import org.meteorshower.transactions.simulator.tables.StoredTables;

/**
 * The data centre's tables, which outlive all nodes, and what is wrong with them. A version holds the same whoever
 * writes it, and is what serial execution has written.
 */
final class CheckedTables {
    static final int EDITION = Recovery.FIRST_EDITION;

    private final StoredTables tables = new StoredTables();
    private final SerialOrder serial;
    private final Consumer<String> broken;

    /** By name, what was said first. */
    private final Map<Name, ChainMessage.Handed> said = new HashMap<>();

    private record Name(long version, int from, int to, int step) {}

    /** @param broken told what is wrong */
    CheckedTables(SerialOrder serial, Consumer<String> broken) {
        this.serial = serial;
        this.broken = broken;
        tables.seed(serial.before());
    }

    StoredRow read(RowKey row, long below) {
        return tables.read(EDITION, below, row, false);
    }

    /** When the row is due. Comes in no order with {@link #write}. */
    void noteDue(RowWrite write, long asOf) {
        tables.writeDue(write, asOf);
    }

    void write(RowWrite write) {
        Row must = serial.at(write.key(), write.row().version());
        if (!write.row().row().equals(must)) {
            broken.accept("version " + write.row().version() + " of row " + write.key() + " is written as "
                    + write.row().row() + ", and must be " + must);
        } else if (write.base() != null && !write.base().equals(serial.before().get(write.key()))) {
            broken.accept("of row " + write.key() + " it is kept that it was " + write.base()
                    + " before any transaction, and must be "
                    + serial.before().get(write.key()));
        }
        tables.write(EDITION, write);
    }

    /** What a server says follows from the order, whoever it is, and whatever it knows. */
    void said(ChainMessage message) {
        boolean isRight = !(message instanceof ChainMessage.Handed handed) || isSaidSo(handed);
        if (message instanceof ChainMessage.Forward forward) {
            isRight &= isHeld(forward.held(), forward.version());
        } else if (message instanceof ChainMessage.Told told) {
            isRight &= isHeld(told.rows(), told.version());
        } else if (message instanceof ChainMessage.Backward backward) {
            isRight &= backward.writes().entrySet().stream()
                    .allMatch(each -> each.getValue().equals(serial.at(each.getKey(), backward.version())));
        } else if (message instanceof ChainMessage.Ended ended) {
            isRight &= ended.outcome().equals(serial.outcome(ended.version()));
        }
        if (!isRight) {
            broken.accept("a server says what does not follow from the order: " + message);
        }
    }

    private boolean isHeld(Map<RowKey, Row> rows, long version) {
        return rows.entrySet().stream()
                .allMatch(each -> serial.newest(each.getKey(), version).row().equals(each.getValue()));
    }

    private boolean isSaidSo(ChainMessage.Handed message) {
        Name name = new Name(message.version(), message.from(), message.to(), message.step());
        return message.equals(said.computeIfAbsent(name, first -> message));
    }

    Event.KeysRead keys(ServerEffect.ReadKeys read) {
        return tables.keys(new Effect.ReadKeys(read.request(), EDITION, read.range(), read.after(), read.most()));
    }

    /** Comes before {@link #write}, as far as anything comes. */
    void writeKey(RowWrite write) {
        tables.writeKey(EDITION, write);
    }

    Event.DueRead due(Effect.ReadDue read, long stamp) {
        return tables.due(read, stamp);
    }

    void forgetDue(long below, long stamp) {
        tables.forgetDue(below, stamp);
    }

    /** What the tables hold as of a count. That a row is absent may be told by nothing. */
    void check(long count) {
        for (RowKey row : serial.rows()) {
            StoredRow is = read(row, Version.endOf(count));
            StoredRow must = serial.newest(row, Version.endOf(count));
            boolean isSame = must.row().exists() ? is.equals(must) : is.row().equals(must.row());
            if (!isSame || is.version() == StoredRow.PAST_GONE) {
                broken.accept("as of K = " + count + " the tables hold " + is + " of row " + row + ", and not " + must);
            }
        }
    }

    /** Once all is written behind. */
    void checkUsers() {
        for (RowKey row : serial.rows()) {
            Row is = tables.seenByUsers(row);
            Row must = serial.newest(row, Long.MAX_VALUE).row();
            if (!is.equals(must)) {
                broken.accept("users see " + is + " of row " + row + " at the end, and not " + must);
            }
        }
    }
}
