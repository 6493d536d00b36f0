/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.Message.Echo;
import org.meteorshower.protocol.Message.RetiredMutation;
import org.meteorshower.protocol.Message.TableReport;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.StreamId;
import org.meteorshower.protocol.TableStripes;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;

/**
 * Turns the protocol's messages into bytes and back. Thread-safe. Each of the {@link WireVersions} has its own format,
 * which never changes: what is to be sent otherwise needs a new version, and a peer that does not speak it gets the
 * older one.
 *
 * <p>A message is its type, its clock, and its fields in the order of the record.
 */
public final class MessageCodec {
    /** The longest partition key of Cassandra. */
    static final int MAX_KEY_BYTES = 65_535;
    /** More earlier payloads than any setting asks for. */
    private static final int MAX_REDUNDANT = 64;

    private static final int TABLE_REPORT_LEAST_BYTES = 16 + 1 + 1;
    private static final int NODE_BYTES = 16;
    private static final int RETIRED_LEAST_BYTES = 16 + 1 + 1 + 8;

    /** Marks of a table's report. */
    static final int BASELINE = 1;

    static final int LEFT = 2;

    /** Of a table at its sender: repaired since all had enabled it. */
    static final int REPAIRED = 4;

    /** Of a table at its sender: what it had in flight under the table's earlier name is visible under this one. */
    static final int CARRIED = 8;

    /** And up to when what it stamped of the table is in its store follows. */
    static final int STORED = 16;

    /** Of a table at its sender: it has moved, and others may serve it under an earlier name. */
    static final int HELD = 32;

    static final int SUBSCRIBE = 1;
    static final int SNAPSHOT = 2;
    static final int STATUS = 3;
    static final int TABLES = 4;
    static final int RE_REQUEST = 5;
    static final int WRITE_ACK = 6;
    static final int SETTLE = 7;
    static final int FETCH = 8;
    static final int RETIRED = 9;
    static final int PULL = 10;
    static final int STALE = 11;
    static final int RETURNING = 12;
    static final int AWAITED = 13;
    static final int WHETHER_COMPLETE = 14;
    static final int COMPLETE = 15;

    /** The first version in which a node that was left behind comes back by itself. */
    static final int RETURN_SINCE = 4;

    /** From this version on a report says what has been repaired. */
    static final int REPAIRED_SINCE = 5;

    /** From this version on a report says what has been carried over, and how far the store is. */
    static final int CARRIED_SINCE = 6;

    /** From this version on a status message carries receipts. */
    static final int RECEIPTS_SINCE = 14;

    /** From this version on a status message tells of leases. */
    static final int LEASES_SINCE = 7;

    /** From this version on a report says whether its sender waits for others to follow. */
    static final int HELD_SINCE = 8;

    /** From this version on wishes and promises name their tables. */
    static final int LEASES_BY_TABLE_SINCE = 8;

    /** Marks of a lease: its sender asks for a promise; it promises something; whom it has promised follows. */
    static final int WISHED = 1;

    static final int GRANTED = 2;
    static final int PROMISED = 4;

    private final UpdateCodec updates;

    /** By version, from the oldest. */
    private final MessageEncoder[] encoders;

    public MessageCodec(UpdateCodec updates) {
        this.updates = updates;
        this.encoders = IntStream.rangeClosed(WireVersions.ALL.oldest(), WireVersions.ALL.newest())
                .mapToObj(version -> new MessageEncoder(updates, version))
                .toArray(MessageEncoder[]::new);
    }

    /** In the newest version. */
    public byte[] encode(Message message) {
        return encode(message, WireVersions.ALL.newest());
    }

    /** @param version one that the receiver speaks */
    public byte[] encode(Message message, int version) {
        if (!WireVersions.ALL.includes(version)) {
            throw new IllegalArgumentException("version " + version + " is none of " + WireVersions.ALL);
        }
        return encoders[version - WireVersions.ALL.oldest()].encode(message);
    }

    /**
     * @param version the one that its sender used
     * @throws UndecodableUpdateException if only the update in it cannot be read
     * @throws BadMessageException if this is no message of this version, whole and without anything behind it
     */
    public Message decode(byte[] bytes, int version) throws BadMessageException {
        WireInput in = new WireInput(bytes);
        Message message = read(in, version);
        in.end();
        return message;
    }

    /** In the newest version. */
    public Message decode(byte[] bytes) throws BadMessageException {
        return decode(bytes, WireVersions.ALL.newest());
    }

    /** What the time of a table's report is told from. */
    static long sinceWhen(long hlcMicros, int version) {
        return version == 1 ? 0 : hlcMicros;
    }

    private Message read(WireInput in, int version) throws BadMessageException {
        int type = in.u8();
        long hlcMicros = in.signed();
        return switch (type) {
            case SUBSCRIBE -> new Message.Subscribe(hlcMicros, in.signed(), in.signed());
            case SNAPSHOT ->
                new Message.Snapshot(
                        hlcMicros,
                        stream(in),
                        hlcMicros + in.signed(),
                        in.number("the part", Integer.MAX_VALUE),
                        in.number("the number of parts", Integer.MAX_VALUE),
                        new AnnouncementReader(in, hlcMicros).read(),
                        version < RETURN_SINCE ? 0 : in.signed());
            case STATUS -> readStatus(in, hlcMicros, version);
            case TABLES ->
                new Message.Tables(
                        hlcMicros,
                        in.signed(),
                        in.signed(),
                        in.signed(),
                        tables(in, sinceWhen(hlcMicros, version), version));
            case RE_REQUEST -> new Message.ReRequest(hlcMicros, stream(in), in.signed(), in.signed());
            case WRITE_ACK ->
                new Message.WriteAck(hlcMicros, key(in), hlcMicros + in.signed(), hlcMicros + in.signed());
            case SETTLE -> new Message.Settle(hlcMicros, update(in.sized("an update", in.remaining())));
            case FETCH -> new Message.Fetch(hlcMicros, key(in), id(in));
            case WHETHER_COMPLETE -> new Message.WhetherComplete(hlcMicros, key(in), id(in));
            case COMPLETE -> new Message.Complete(hlcMicros, key(in), id(in));
            case RETIRED -> new Message.Retired(hlcMicros, retired(in), hlcMicros + in.signed());
            case PULL -> new Message.Pull(hlcMicros);
            case RETURNING -> new Message.Returning(hlcMicros, in.signed(), in.signed(), in.signed());
            case AWAITED ->
                new Message.Awaited(
                        hlcMicros, in.signed(), in.signed(), in.signed(), in.number("whether it is admitted", 1) == 1);
            case STALE -> new Message.Stale(hlcMicros, in.signed());
            default -> throw new BadMessageException("type " + type + " is no message");
        };
    }

    private static Message readStatus(WireInput in, long hlcMicros, int version) throws BadMessageException {
        StreamId stream = stream(in);
        long seq = in.signed();
        long msgTsMicros = hlcMicros + in.signed();
        AnnouncementReader reader = new AnnouncementReader(in, hlcMicros);
        List<Announcement> payload = reader.read();
        int earlier = in.number("the number of earlier payloads", MAX_REDUNDANT);
        List<List<Announcement>> redundant = new ArrayList<>(earlier);
        for (int i = 0; i < earlier; i++) {
            redundant.add(reader.read());
        }
        @Nullable StreamId acknowledged = in.number("the mark of an acknowledgement", 1) == 0 ? null : stream(in);
        return new Message.StatusMessage(
                hlcMicros,
                stream,
                seq,
                msgTsMicros,
                payload,
                Collections.unmodifiableList(redundant),
                acknowledged,
                in.signed(),
                new Echo(in.signed(), in.signed(), in.signed(), hlcMicros + in.signed()),
                version < LEASES_SINCE ? Message.Lease.NONE : lease(in, version),
                version < RECEIPTS_SINCE ? List.of() : receipts(in));
    }

    private static List<Long> receipts(WireInput in) throws BadMessageException {
        int count = in.number("the number of receipts", in.remaining());
        if (count == 0) {
            return List.of();
        }
        List<Long> receipts = new ArrayList<>(count);
        long last = 0;
        for (int i = 0; i < count; i++) {
            last += in.signed();
            receipts.add(last);
        }
        return Collections.unmodifiableList(receipts);
    }

    private static Message.Lease lease(WireInput in, int version) throws BadMessageException {
        boolean byTable = version >= LEASES_BY_TABLE_SINCE;
        int marks = in.number("the marks of a lease", WISHED | GRANTED | PROMISED);
        long wished = (marks & WISHED) == 0 ? TableStripes.NONE : tables(in, byTable);
        boolean granted = (marks & GRANTED) != 0;
        long forMicros = granted ? in.signed() : 0;
        long countedFromNanos = granted ? in.signed() : 0;
        if (granted && forMicros <= 0) {
            throw new BadMessageException("a promise for " + forMicros + " microseconds");
        }
        long tables = granted ? tables(in, byTable) : TableStripes.NONE;
        Map<NodeId, Long> promised = (marks & PROMISED) == 0 ? Map.of() : promised(in, byTable);
        return new Message.Lease(wished, forMicros, countedFromNanos, tables, promised);
    }

    private static long tables(WireInput in, boolean byTable) throws BadMessageException {
        long tables = byTable ? in.fixed64() : TableStripes.ALL;
        if (tables == TableStripes.NONE) {
            throw new BadMessageException("a lease for no table");
        }
        return tables;
    }

    private static Map<NodeId, Long> promised(WireInput in, boolean byTable) throws BadMessageException {
        Map<NodeId, Long> promised = new HashMap<>();
        NodeId last = null;
        for (int left = in.count("promises", NODE_BYTES); left > 0; left--) {
            NodeId next = new NodeId(in.uuid());
            if (last != null && next.compareTo(last) <= 0) {
                throw new BadMessageException("promises that are not in order");
            }
            promised.put(next, tables(in, byTable));
            last = next;
        }
        if (promised.isEmpty()) {
            throw new BadMessageException("promises to nobody");
        }
        return promised;
    }

    private Update update(byte[] bytes) throws UndecodableUpdateException {
        try {
            return updates.decode(ByteBuffer.wrap(bytes));
        } catch (IllegalArgumentException e) {
            throw new UndecodableUpdateException("an update of " + bytes.length + " bytes: " + e.getMessage());
        }
    }

    private static StreamId stream(WireInput in) throws BadMessageException {
        return new StreamId(in.signed(), in.signed(), in.signed());
    }

    private static PartitionKey key(WireInput in) throws BadMessageException {
        return new PartitionKey(in.uuid(), in.sized("a key", MAX_KEY_BYTES));
    }

    private static MutationId id(WireInput in) throws BadMessageException {
        return new MutationId(in.signed(), in.fixed64());
    }

    private static List<TableReport> tables(WireInput in, long sinceWhen, int version) throws BadMessageException {
        boolean tellsRepaired = version >= REPAIRED_SINCE;
        int count = in.count("tables", TABLE_REPORT_LEAST_BYTES);
        List<TableReport> tables = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            UUID table = in.uuid();
            long sinceMicros = sinceWhen + in.signed();
            int marks = in.number("the marks of a table", marksOf(version));
            boolean baseline = (marks & BASELINE) != 0;
            boolean repaired = tellsRepaired ? (marks & REPAIRED) != 0 : baseline;
            long storedMicros = (marks & STORED) != 0 ? sinceWhen + in.signed() : 0;
            tables.add(new TableReport(
                    table,
                    sinceMicros,
                    baseline,
                    (marks & LEFT) != 0,
                    repaired,
                    (marks & CARRIED) != 0,
                    storedMicros,
                    (marks & HELD) != 0));
        }
        return Collections.unmodifiableList(tables);
    }

    private static int marksOf(int version) {
        return BASELINE
                | LEFT
                | (version >= REPAIRED_SINCE ? REPAIRED : 0)
                | (version >= CARRIED_SINCE ? CARRIED | STORED : 0)
                | (version >= HELD_SINCE ? HELD : 0);
    }

    private static List<RetiredMutation> retired(WireInput in) throws BadMessageException {
        int count = in.count("retired mutations", RETIRED_LEAST_BYTES);
        List<RetiredMutation> mutations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            mutations.add(new RetiredMutation(key(in), id(in)));
        }
        return Collections.unmodifiableList(mutations);
    }
}
