/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;

/**
 * Messages between data centres. Immutable.
 *
 * @param members what names a lane that is none of theirs, or speaks of another number of them, is refused
 */
public record MessageCodec(Members members) {
    static final int PREPARE = 1;
    static final int PROMISED = 2;
    static final int OUTBID = 3;
    static final int PROPOSE = 4;
    static final int ACCEPTED = 5;
    static final int PROGRESS = 6;
    static final int FETCH = 7;
    static final int DECIDED = 8;
    static final int REJOIN = 10;
    static final int REJOIN_ANSWER = 11;
    static final int REJOIN_REFUSED = 12;
    static final int FORWARD = 13;
    static final int FORWARD_REFUSED = 14;
    static final int OFFER = 15;
    static final int ASK_PAGES = 16;
    static final int PAGE = 17;
    static final int REJOIN_ANSWER_WITH_GENERATIONS = 18;
    static final int PROGRESS_WITH_MARGIN = 19;
    static final int PAGE_WITH_BASES = 20;
    static final int REVOKE = 21;

    /** Of who understands {@link Message.Revoke}. */
    static final int PROGRESS_OF_REVOKER = 22;

    private static final int LEAST_ENTRY_BYTES = 3;
    private static final int MOST_PAGES = 64;
    private static final int MOST_GENERATION = (1 << 12) - 1;

    /** The newest version of the language between nodes that has messages of its own. */
    public static final int NEWEST = 12;

    /** With {@link Message.ForwardRefused}. */
    private static final int REFUSES = 3;

    /** With pages of snapshots. */
    private static final int PAGES = 4;

    /** With other disks' generations in what a blank disk is told. */
    static final int TELLS_GENERATIONS = 9;

    /** With how late a lane is. */
    static final int TELLS_MARGINS = 10;

    /** With what rows of a snapshot were before any transaction. */
    static final int TELLS_BASES = 11;

    /** With {@link Message.Revoke}. */
    static final int REVOKES = 12;

    private static final MessageWriter WRITER = new MessageWriter(NEWEST);

    /** In the newest version. */
    public byte[] encode(Message message) {
        return encode(message, WRITER);
    }

    /** @param version that the other node speaks, not below {@link #since} of the message */
    public byte[] encode(Message message, int version) {
        return encode(message, version >= NEWEST ? WRITER : new MessageWriter(version));
    }

    private static byte[] encode(Message message, MessageWriter writer) {
        DataOut out = new DataOut(128);
        message.handOver(writer, out);
        return out.toBytes();
    }

    /**
     * The first version of the language between nodes, the transport's, that has messages of this kind. What is older
     * does not understand them.
     */
    public static int since(Message message) {
        return switch (message.kind()) {
            case PREPARE,
                    PROMISED,
                    OUTBID,
                    PROPOSE,
                    ACCEPTED,
                    PROGRESS,
                    FETCH,
                    DECIDED,
                    FORWARD,
                    REJOIN,
                    REJOIN_ANSWER,
                    REJOIN_REFUSED -> 1;
            case REVOKE -> REVOKES;
            case FORWARD_REFUSED -> REFUSES;
            case OFFER, ASK_PAGES, PAGE -> PAGES;
        };
    }

    /**
     * @param version that the sender speaks with this node
     * @throws BadDataException if this is no message of that version, or not of these members
     */
    public Message decode(byte[] bytes, int version) throws BadDataException {
        Message message = decode(bytes);
        if (since(message) > version || formSince(bytes[0]) > version) {
            throw new BadDataException("there is no " + message.getClass().getSimpleName() + " in version " + version);
        }
        return message;
    }

    /** The first version in which a message is written in this form. */
    private static int formSince(int kind) {
        return switch (kind) {
            case REJOIN_ANSWER_WITH_GENERATIONS -> TELLS_GENERATIONS;
            case PROGRESS_WITH_MARGIN -> TELLS_MARGINS;
            case PAGE_WITH_BASES -> TELLS_BASES;
            case PROGRESS_OF_REVOKER -> REVOKES;
            default -> 1;
        };
    }

    /** In the newest version. */
    public Message decode(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        Message message = read(in, in.u8());
        in.end();
        return message;
    }

    private Message page(DataIn in, boolean withBases) throws BadDataException {
        return new Message.Page(
                checkpoint(in),
                in.text("a place"),
                StoreCodec.readRows(in),
                withBases ? StoreCodec.readBases(in) : Map.of(),
                in.text("a place"));
    }

    private Message read(DataIn in, int kind) throws BadDataException {
        return switch (kind) {
            case PREPARE -> new Message.Prepare(lane(in), ballot(in), in.natural("a position"));
            case PROMISED -> new Message.Promised(lane(in), ballot(in), generations(in), StoreCodec.readAcceptor(in));
            case OUTBID -> new Message.Outbid(lane(in), ballot(in));
            case REVOKE -> revoke(in);
            case PROPOSE ->
                new Message.Propose(
                        lane(in),
                        ballot(in),
                        in.natural("a position"),
                        LogCodec.readEntry(in),
                        in.natural("a position"));
            case ACCEPTED -> new Message.Accepted(lane(in), ballot(in), in.natural("a position"), generations(in));
            case PROGRESS -> progress(in, false, false);
            case PROGRESS_WITH_MARGIN -> progress(in, true, false);
            case PROGRESS_OF_REVOKER -> progress(in, in.number("whether a margin follows", 1) == 1, true);
            case FETCH -> new Message.Fetch(lane(in), in.signed());
            case DECIDED -> decided(in);
            case OFFER -> new Message.Offer(checkpoint(in));
            case ASK_PAGES ->
                new Message.AskPages(
                        in.natural("a count"), in.text("a place"), in.number("a number of pages", MOST_PAGES));
            case PAGE -> page(in, false);
            case PAGE_WITH_BASES -> page(in, true);
            case REJOIN -> new Message.Rejoin(generation(in), in.natural("a life"));
            case REJOIN_ANSWER -> rejoinAnswer(in);
            case REJOIN_ANSWER_WITH_GENERATIONS -> rejoinAnswer(in).withGenerations(generations(in));
            case REJOIN_REFUSED -> new Message.RejoinRefused(generation(in), in.natural("a life"));
            case FORWARD -> {
                Entry forwarded = LogCodec.readEntry(in);
                yield new Message.Forward(forwarded.origin(), forwarded.submissions());
            }
            case FORWARD_REFUSED -> forwardRefused(in);
            default -> throw new BadDataException("there is no message of kind " + kind);
        };
    }

    private Checkpoint checkpoint(DataIn in) throws BadDataException {
        Checkpoint checkpoint = StoreCodec.readCheckpoint(in);
        requireAll(checkpoint.positions());
        requireAll(checkpoint.epochs());
        return checkpoint;
    }

    private Message revoke(DataIn in) throws BadDataException {
        return new Message.Revoke(
                lane(in),
                ballot(in),
                in.number("a quorum", Integer.MAX_VALUE),
                in.natural("an epoch"),
                generations(in),
                StoreCodec.readAcceptor(in));
    }

    private Message progress(DataIn in, boolean margin, boolean revokes) throws BadDataException {
        Message.ClockReading clock = new Message.ClockReading(in.signed(), in.signed(), in.signed(), in.signed());
        List<Long> decided = requireAll(StoreCodec.readNaturals(in));
        List<Long> durable = requireAll(StoreCodec.readNaturals(in));
        return new Message.Progress(
                clock,
                decided,
                durable,
                in.natural("a count"),
                in.natural("a count"),
                in.fixed64(),
                margin ? new Message.Margin(in.natural("an epoch"), in.signed()) : null,
                revokes);
    }

    private Message decided(DataIn in) throws BadDataException {
        int lane = lane(in);
        long from = in.natural("a position");
        int count = in.count("entries", LEAST_ENTRY_BYTES);
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(LogCodec.readEntry(in));
        }
        return new Message.Decided(lane, from, entries);
    }

    private Message.RejoinAnswer rejoinAnswer(DataIn in) throws BadDataException {
        int generation = generation(in);
        long life = in.natural("a life");
        int count = in.number("the number of acceptors", members.count());
        List<AcceptorState> acceptors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            acceptors.add(StoreCodec.readAcceptor(in));
        }
        return new Message.RejoinAnswer(generation, life, requireAll(acceptors), List.of());
    }

    private static Message forwardRefused(DataIn in) throws BadDataException {
        long ballot = ballot(in);
        int count = in.count("tickets", 1);
        List<Long> tickets = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tickets.add(in.natural("a ticket"));
        }
        return new Message.ForwardRefused(ballot, tickets);
    }

    private int lane(DataIn in) throws BadDataException {
        return in.number("a lane", members.count() - 1);
    }

    private static long ballot(DataIn in) throws BadDataException {
        return in.natural("a ballot");
    }

    private static int generation(DataIn in) throws BadDataException {
        return in.number("a generation", MOST_GENERATION);
    }

    private List<Integer> generations(DataIn in) throws BadDataException {
        return requireAll(StoreCodec.readNumbers(in));
    }

    private <T> List<T> requireAll(List<T> byMember) throws BadDataException {
        if (byMember.size() != members.count()) {
            throw new BadDataException("it speaks of " + byMember.size() + " data centres, and there are "
                    + members.count() + " here: is the list of data centres the same at all nodes?");
        }
        return byMember;
    }
}
