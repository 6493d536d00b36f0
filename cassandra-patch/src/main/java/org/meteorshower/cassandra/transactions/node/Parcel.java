/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transport.WireVersions;

/**
 * What nodes send each other for transactions, as the transport's parcels. Which kinds there are is a matter of the
 * {@link WireVersions}: a parcel goes only where it is understood.
 */
sealed interface Parcel {
    /** The sender runs its data centre's process. Before {@link #STATES_FORMATS} it says nothing of formats. */
    record Announcement(long life, FormatUse formats) implements Parcel {}

    /** The sender is about to begin its data centre's process: others of the data centre wait for it. */
    record Candidacy() implements Parcel {}

    /** The sender's process has ended in good order; another node may begin one at once. */
    record Farewell(long life) implements Parcel {}

    /** A client of the sender asks for what only a later format has: its data centre's process is to go on to it. */
    record Wish() implements Parcel {}

    /**
     * From process to process.
     *
     * @param life of the sender
     * @param number of the parcel, so that its second copy is known
     */
    record Contents(long life, long number, List<byte[]> messages) implements Parcel {}

    /**
     * A parcel as it is sent.
     *
     * @param versions in which it is understood
     */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    record Packed(byte[] bytes, WireVersions versions) {}

    /** The first version with candidacies and farewells, and with announcements that say which formats there are. */
    int STATES_FORMATS = 3;

    /** The first version with wishes. */
    int WISHES = 11;

    /** The first version with parcels of groups of lanes. */
    int GROUPS = 13;

    int ANNOUNCEMENT = 1;
    int CONTENTS = 2;
    int CANDIDACY = 3;
    int FAREWELL = 4;
    int ANNOUNCEMENT_WITH_FORMATS = 5;
    int WISH = 6;
    int OF_A_GROUP = 7;

    /**
     * A parcel of a group of lanes: its number, and one of that of all data centres. Of that one they go as they are.
     */
    static Packed of(int group, Packed parcel) {
        return group == LaneGroup.WHOLE
                ? parcel
                : new Packed(
                        new DataOut(parcel.bytes.length + 8)
                                .u8(OF_A_GROUP)
                                .varint(group)
                                .raw(parcel.bytes)
                                .toBytes(),
                        WireVersions.since(Math.max(GROUPS, parcel.versions.oldest())));
    }

    /**
     * What is in a parcel, and of which group it is.
     *
     * @throws BadDataException if it is none of that version
     */
    static OfGroup unpack(byte[] bytes, int version) throws BadDataException {
        DataIn in = new DataIn(bytes);
        if (version < GROUPS || bytes.length == 0 || bytes[0] != OF_A_GROUP) {
            return new OfGroup(LaneGroup.WHOLE, bytes);
        }
        in.u8();
        return OfGroup.read(in);
    }

    /** @param version the one in which it is to be understood */
    static Packed announcement(long life, FormatUse formats, int version) {
        if (version < STATES_FORMATS) {
            return new Packed(
                    new DataOut(16).u8(ANNOUNCEMENT).varint(life).toBytes(), new WireVersions(1, STATES_FORMATS - 1));
        }
        DataOut out = new DataOut(16).u8(ANNOUNCEMENT_WITH_FORMATS).varint(life);
        LogCodec.write(formats, out);
        return new Packed(out.toBytes(), WireVersions.since(STATES_FORMATS));
    }

    static Packed candidacy() {
        return new Packed(new DataOut(1).u8(CANDIDACY).toBytes(), WireVersions.since(STATES_FORMATS));
    }

    static Packed farewell(long life) {
        return new Packed(new DataOut(16).u8(FAREWELL).varint(life).toBytes(), WireVersions.since(STATES_FORMATS));
    }

    static Packed wish() {
        return new Packed(new DataOut(1).u8(WISH).toBytes(), WireVersions.since(WISHES));
    }

    /** @param since the first version that has all of these messages */
    static Packed contents(long life, long number, List<byte[]> messages, int since) {
        DataOut out = new DataOut(256).u8(CONTENTS).varint(life).varint(number).varint(messages.size());
        messages.forEach(out::sized);
        return new Packed(out.toBytes(), WireVersions.since(since));
    }

    /**
     * @param version of the connection that brought it
     * @throws BadDataException if it is none of that version
     */
    static Parcel decode(byte[] bytes, int version) throws BadDataException {
        DataIn in = new DataIn(bytes);
        int kind = in.u8();
        Parcel parcel;
        if (kind == CONTENTS) {
            parcel = contents(in);
        } else if (kind == ANNOUNCEMENT && version < STATES_FORMATS) {
            parcel = new Announcement(in.natural("a life"), FormatUse.UNSAID);
        } else if (kind == ANNOUNCEMENT_WITH_FORMATS && version >= STATES_FORMATS) {
            parcel = new Announcement(in.natural("a life"), LogCodec.readFormats(in));
            in.raw(in.remaining()); // what later releases will have to say besides
        } else if (kind == CANDIDACY && version >= STATES_FORMATS) {
            parcel = new Candidacy();
        } else if (kind == FAREWELL && version >= STATES_FORMATS) {
            parcel = new Farewell(in.natural("a life"));
        } else if (kind == WISH && version >= WISHES) {
            parcel = new Wish();
        } else {
            throw new BadDataException("there is no parcel of kind " + kind + " in version " + version);
        }
        in.end();
        return parcel;
    }

    private static Contents contents(DataIn in) throws BadDataException {
        long life = in.natural("a life");
        long number = in.natural("a parcel's number");
        List<byte[]> messages = new ArrayList<>();
        for (int left = in.count("messages", 1); left > 0; left--) {
            messages.add(in.sized("a message"));
        }
        return new Contents(life, number, messages);
    }
}
