/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;

/** What nodes send each other for transactions, as the transport's parcels. */
sealed interface Parcel {
    /** The sender runs its data centre's process. */
    record Announcement(long life) implements Parcel {}

    /** The sender is about to begin its data centre's process: others of the data centre wait for it. */
    record Candidacy() implements Parcel {}

    /** The sender's process has ended in good order; another node may begin one at once. */
    record Farewell(long life) implements Parcel {}

    /**
     * From process to process.
     *
     * @param life of the sender
     * @param number of the parcel, so that its second copy is known
     */
    record Contents(long life, long number, List<byte[]> messages) implements Parcel {}

    int ANNOUNCEMENT = 1;
    int CONTENTS = 2;
    int CANDIDACY = 3;
    int FAREWELL = 4;

    static byte[] announcement(long life) {
        return new DataOut(16).u8(ANNOUNCEMENT).varint(life).toBytes();
    }

    static byte[] candidacy() {
        return new DataOut(1).u8(CANDIDACY).toBytes();
    }

    static byte[] farewell(long life) {
        return new DataOut(16).u8(FAREWELL).varint(life).toBytes();
    }

    static byte[] contents(long life, long number, List<byte[]> messages) {
        DataOut out = new DataOut(256).u8(CONTENTS).varint(life).varint(number).varint(messages.size());
        messages.forEach(out::sized);
        return out.toBytes();
    }

    /** @throws BadDataException if it is none */
    static Parcel decode(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        int kind = in.u8();
        Parcel parcel;
        if (kind == CONTENTS) {
            long life = in.natural("a life");
            long number = in.natural("a parcel's number");
            List<byte[]> messages = new ArrayList<>();
            for (int left = in.count("messages", 1); left > 0; left--) {
                messages.add(in.sized("a message"));
            }
            parcel = new Contents(life, number, messages);
        } else if (kind == ANNOUNCEMENT) {
            parcel = new Announcement(in.natural("a life"));
        } else if (kind == CANDIDACY) {
            parcel = new Candidacy();
        } else if (kind == FAREWELL) {
            parcel = new Farewell(in.natural("a life"));
        } else {
            throw new BadDataException("there is no parcel of kind " + kind);
        }
        in.end();
        return parcel;
    }
}
