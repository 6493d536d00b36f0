/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.List;
import java.util.Map;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.Message.Echo;
import org.meteorshower.protocol.Message.RetiredMutation;
import org.meteorshower.protocol.Message.TableReport;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.StreamId;
import org.meteorshower.protocol.TableStripes;
import org.meteorshower.runtime.UpdateCodec;

/** Writes the messages of one version, each as {@link MessageCodec} reads it. Thread-safe. */
final class MessageEncoder implements Message.Handler<WireOutput> {
    private final UpdateCodec updates;
    private final int version;

    MessageEncoder(UpdateCodec updates, int version) {
        this.updates = updates;
        this.version = version;
    }

    byte[] encode(Message message) {
        WireOutput out = new WireOutput();
        message.handOver(this, out);
        return out.toBytes();
    }

    /** @param expectedBytes about so many are written */
    private static WireOutput begin(WireOutput out, int type, Message message, int expectedBytes) {
        return out.expect(expectedBytes).u8(type).signed(message.hlcMicros());
    }

    @Override
    public void on(Message.StatusMessage status, WireOutput out) {
        int announcements = status.payload().size();
        for (List<Announcement> earlier : status.redundant()) {
            announcements += earlier.size();
        }
        begin(out, MessageCodec.STATUS, status, 96 + 48 * announcements);
        stream(out, status.stream());
        out.signed(status.seq()).signed(status.msgTsMicros() - status.hlcMicros());
        AnnouncementWriter writer = new AnnouncementWriter(out, status.hlcMicros());
        writer.write(status.payload());
        out.varint(status.redundant().size());
        status.redundant().forEach(writer::write);
        StreamId acknowledged = status.acknowledgedStream();
        out.u8(acknowledged == null ? 0 : 1);
        if (acknowledged != null) {
            stream(out, acknowledged);
        }
        Echo echo = status.echo();
        out.signed(status.acknowledgedSeq())
                .signed(echo.sentNanos())
                .signed(echo.echoedNanos())
                .signed(echo.heldNanos())
                .signed(echo.sentWallMicros() - status.hlcMicros());
        if (version >= MessageCodec.LEASES_SINCE) {
            lease(out, status.lease());
        }
        if (version >= MessageCodec.RECEIPTS_SINCE) {
            out.varint(status.receipts().size());
            long last = 0;
            for (long receipt : status.receipts()) {
                out.signed(receipt - last);
                last = receipt;
            }
        }
    }

    private void lease(WireOutput out, Message.Lease lease) {
        boolean granted = lease.forMicros() > 0;
        boolean byTable = version >= MessageCodec.LEASES_BY_TABLE_SINCE;
        out.u8((lease.wished() != TableStripes.NONE ? MessageCodec.WISHED : 0)
                | (granted ? MessageCodec.GRANTED : 0)
                | (lease.promised().isEmpty() ? 0 : MessageCodec.PROMISED));
        if (byTable && lease.wished() != TableStripes.NONE) {
            out.fixed64(lease.wished());
        }
        if (granted) {
            out.signed(lease.forMicros()).signed(lease.countedFromNanos());
            if (byTable) {
                out.fixed64(lease.tables());
            }
        }
        if (!lease.promised().isEmpty()) {
            out.varint(lease.promised().size());
            lease.promised().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(each -> {
                        out.uuid(each.getKey().value());
                        if (byTable) {
                            out.fixed64(each.getValue());
                        }
                    });
        }
    }

    @Override
    public void on(Message.Snapshot snapshot, WireOutput out) {
        begin(out, MessageCodec.SNAPSHOT, snapshot, 64 + 48 * snapshot.applied().size());
        stream(out, snapshot.stream());
        out.signed(snapshot.snapshotMicros() - snapshot.hlcMicros())
                .varint(snapshot.part())
                .varint(snapshot.parts());
        new AnnouncementWriter(out, snapshot.hlcMicros()).write(snapshot.applied());
        if (version >= MessageCodec.RETURN_SINCE) {
            out.signed(snapshot.behindMicros());
        }
    }

    @Override
    public void on(Message.Subscribe subscribe, WireOutput out) {
        begin(out, MessageCodec.SUBSCRIBE, subscribe, 32)
                .signed(subscribe.incarnation())
                .signed(subscribe.number());
    }

    @Override
    public void on(Message.Tables reports, WireOutput out) {
        List<TableReport> tables = reports.tables();
        begin(out, MessageCodec.TABLES, reports, 64 + 32 * tables.size())
                .signed(reports.incarnation())
                .signed(reports.askedIncarnation())
                .signed(reports.askedNumber())
                .varint(tables.size());
        long sinceWhen = MessageCodec.sinceWhen(reports.hlcMicros(), version);
        for (TableReport table : tables) {
            out.uuid(table.table()).signed(table.sinceMicros() - sinceWhen).u8(marks(table));
            if (tellsStored(table)) {
                out.signed(table.storedMicros() - sinceWhen);
            }
        }
    }

    private boolean tellsStored(TableReport table) {
        return table.storedMicros() != 0 && version >= MessageCodec.CARRIED_SINCE;
    }

    private int marks(TableReport table) {
        return (table.baseline() ? MessageCodec.BASELINE : 0)
                | (table.left() ? MessageCodec.LEFT : 0)
                | (table.repaired() && version >= MessageCodec.REPAIRED_SINCE ? MessageCodec.REPAIRED : 0)
                | (table.carried() && version >= MessageCodec.CARRIED_SINCE ? MessageCodec.CARRIED : 0)
                | (tellsStored(table) ? MessageCodec.STORED : 0)
                | (table.held() && version >= MessageCodec.HELD_SINCE ? MessageCodec.HELD : 0);
    }

    @Override
    public void on(Message.ReRequest request, WireOutput out) {
        stream(begin(out, MessageCodec.RE_REQUEST, request, 48), request.stream());
        out.signed(request.fromSeq()).signed(request.toSeq());
    }

    @Override
    public void on(Message.WriteAck ack, WireOutput out) {
        key(begin(out, MessageCodec.WRITE_ACK, ack, 64), ack.key());
        out.signed(ack.timestampMicros() - ack.hlcMicros()).signed(ack.appliedMicros() - ack.hlcMicros());
    }

    @Override
    public void on(Message.Settle settle, WireOutput out) {
        byte[] update = updates.encode(settle.update());
        begin(out, MessageCodec.SETTLE, settle, 32 + update.length).sized(update);
    }

    @Override
    public void on(Message.Fetch fetch, WireOutput out) {
        key(begin(out, MessageCodec.FETCH, fetch, 64), fetch.key());
        id(out, fetch.id());
    }

    @Override
    public void on(Message.WhetherComplete question, WireOutput out) {
        named(MessageCodec.WHETHER_COMPLETE, question, question.key(), question.id(), out);
    }

    @Override
    public void on(Message.Complete answer, WireOutput out) {
        named(MessageCodec.COMPLETE, answer, answer.key(), answer.id(), out);
    }

    /** Who does not know of leases has no table that needs them. */
    private void named(int type, Message message, PartitionKey key, MutationId id, WireOutput out) {
        if (version < MessageCodec.LEASES_SINCE) {
            pull(message, out);
        } else {
            key(begin(out, type, message, 64), key);
            id(out, id);
        }
    }

    @Override
    public void on(Message.Retired retired, WireOutput out) {
        List<RetiredMutation> mutations = retired.mutations();
        begin(out, MessageCodec.RETIRED, retired, 32 + 48 * mutations.size()).varint(mutations.size());
        for (RetiredMutation mutation : mutations) {
            key(out, mutation.key());
            id(out, mutation.id());
        }
        out.signed(retired.byMicros() - retired.hlcMicros());
    }

    @Override
    public void on(Message.Pull pull, WireOutput out) {
        pull(pull, out);
    }

    private static void pull(Message inItsPlace, WireOutput out) {
        begin(out, MessageCodec.PULL, inItsPlace, 16);
    }

    @Override
    public void on(Message.Stale refusal, WireOutput out) {
        begin(out, MessageCodec.STALE, refusal, 24).signed(refusal.incarnation());
    }

    @Override
    public void on(Message.Returning returning, WireOutput out) {
        if (version < MessageCodec.RETURN_SINCE) {
            pull(returning, out); // an operator has to tell it; so nothing but that this node is there
        } else {
            begin(out, MessageCodec.RETURNING, returning, 32)
                    .signed(returning.incarnation())
                    .signed(returning.number())
                    .signed(returning.filledMicros());
        }
    }

    @Override
    public void on(Message.Awaited awaited, WireOutput out) {
        if (version < MessageCodec.RETURN_SINCE) {
            pull(awaited, out);
        } else {
            begin(out, MessageCodec.AWAITED, awaited, 32)
                    .signed(awaited.incarnation())
                    .signed(awaited.number())
                    .signed(awaited.awaitedMicros())
                    .u8(awaited.admitted() ? 1 : 0);
        }
    }

    private static void stream(WireOutput out, StreamId stream) {
        out.signed(stream.senderIncarnation())
                .signed(stream.receiverIncarnation())
                .signed(stream.number());
    }

    private static void key(WireOutput out, PartitionKey key) {
        out.uuid(key.table()).sized(key.bytes());
    }

    private static void id(WireOutput out, MutationId id) {
        out.signed(id.timestampMicros()).fixed64(id.digest());
    }
}
