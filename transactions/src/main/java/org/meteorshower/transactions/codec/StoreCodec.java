/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.StoredRow;

/** Checkpoints, rows with their versions, and what acceptors know. Without state. */
public final class StoreCodec {
    private static final int MOST_LANES = 31;
    private static final int LEAST_ROW_BYTES = 4;
    private static final int LEAST_ACCEPTED_BYTES = 5;

    private StoreCodec() {}

    public static void write(Checkpoint checkpoint, DataOut out) {
        out.varint(checkpoint.count()).fixed64(checkpoint.digest());
        writeNaturals(checkpoint.positions(), out);
        writeNaturals(checkpoint.epochs(), out);
    }

    public static byte[] bytes(Checkpoint checkpoint) {
        DataOut out = new DataOut(64);
        write(checkpoint, out);
        return out.toBytes();
    }

    public static Checkpoint readCheckpoint(DataIn in) throws BadDataException {
        long count = in.natural("a count");
        long digest = in.fixed64();
        return new Checkpoint(count, readNaturals(in), readNaturals(in), digest);
    }

    public static Checkpoint checkpoint(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        Checkpoint checkpoint = readCheckpoint(in);
        in.end();
        return checkpoint;
    }

    public static byte[] bytes(Durable.Done done) {
        DataOut out = new DataOut(64);
        out.varint(done.edition());
        write(done.checkpoint(), out);
        return out.toBytes();
    }

    public static Durable.Done done(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        int edition = in.number("an edition", Integer.MAX_VALUE);
        Durable.Done done = new Durable.Done(readCheckpoint(in), edition);
        in.end();
        return done;
    }

    public static byte[] bytes(Durable.Installing installing) {
        DataOut out = new DataOut(64);
        out.varint(installing.edition()).varint(installing.said()).text(installing.place());
        write(installing.checkpoint(), out);
        return out.toBytes();
    }

    public static Durable.Installing installing(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        int edition = in.number("an edition", Integer.MAX_VALUE);
        long said = in.natural("how often it was said");
        String place = in.text("a place");
        Durable.Installing installing = new Durable.Installing(readCheckpoint(in), edition, said, place);
        in.end();
        return installing;
    }

    public static void write(StoredRow row, DataOut out) {
        out.varint(row.version());
        LanguageCodec.write(row.row(), out);
    }

    public static StoredRow readRow(DataIn in) throws BadDataException {
        return new StoredRow(in.natural("a version"), LanguageCodec.readRow(in));
    }

    /** In the order of the map. */
    public static void write(Map<RowKey, StoredRow> rows, DataOut out) {
        out.varint(rows.size());
        rows.forEach((key, row) -> {
            LanguageCodec.write(key, out);
            write(row, out);
        });
    }

    public static Map<RowKey, StoredRow> readRows(DataIn in) throws BadDataException {
        int count = in.count("rows", LEAST_ROW_BYTES);
        Map<RowKey, StoredRow> rows = new HashMap<>();
        for (int i = 0; i < count; i++) {
            RowKey key = LanguageCodec.readRowKey(in);
            rows.put(key, readRow(in));
        }
        return rows;
    }

    static void writeBases(Map<RowKey, Row> bases, DataOut out) {
        out.varint(bases.size());
        bases.forEach((key, row) -> {
            LanguageCodec.write(key, out);
            LanguageCodec.write(row, out);
        });
    }

    static Map<RowKey, Row> readBases(DataIn in) throws BadDataException {
        int count = in.count("rows of before", LEAST_ROW_BYTES - 1);
        Map<RowKey, Row> bases = new HashMap<>();
        for (int i = 0; i < count; i++) {
            RowKey key = LanguageCodec.readRowKey(in);
            bases.put(key, LanguageCodec.readRow(in));
        }
        return bases;
    }

    static void write(AcceptorState state, DataOut out) {
        out.varint(state.promised())
                .varint(state.floor())
                .varint(state.accepted().size());
        for (AcceptedEntry accepted : state.accepted()) {
            out.varint(accepted.position()).varint(accepted.ballot());
            LogCodec.write(accepted.entry(), out);
        }
    }

    static AcceptorState readAcceptor(DataIn in) throws BadDataException {
        long promised = in.natural("a promise");
        long floor = in.natural("a floor");
        int count = in.count("accepted entries", LEAST_ACCEPTED_BYTES);
        List<AcceptedEntry> accepted = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            accepted.add(new AcceptedEntry(in.natural("a position"), in.natural("a ballot"), LogCodec.readEntry(in)));
        }
        return new AcceptorState(promised, floor, accepted);
    }

    static void writeNaturals(List<Long> values, DataOut out) {
        out.varint(values.size());
        values.forEach(out::varint);
    }

    static List<Long> readNaturals(DataIn in) throws BadDataException {
        int count = in.number("the number of lanes", MOST_LANES);
        List<Long> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(in.natural("a number"));
        }
        return values;
    }

    static void writeNumbers(List<Integer> values, DataOut out) {
        out.varint(values.size());
        values.forEach(out::varint);
    }

    static List<Integer> readNumbers(DataIn in) throws BadDataException {
        int count = in.number("the number of data centres", MOST_LANES);
        List<Integer> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(in.number("a generation", Integer.MAX_VALUE));
        }
        return values;
    }
}
