/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Arrays;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;

/** What nodes send each other for transactions, as the transport's parcels. */
sealed interface Parcel {
    /** The sender runs its data centre's process. */
    record Announcement(long life) implements Parcel {}

    /** From process to process. */
    @SuppressWarnings("ArrayRecordComponent") // parcels are not compared
    record Content(byte[] message) implements Parcel {}

    int ANNOUNCEMENT = 1;
    int CONTENT = 2;

    static byte[] announcement(long life) {
        return new DataOut(16).u8(ANNOUNCEMENT).varint(life).toBytes();
    }

    static byte[] content(byte[] message) {
        return new DataOut(message.length + 1).u8(CONTENT).raw(message).toBytes();
    }

    /** @throws BadDataException if it is none */
    static Parcel decode(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        int kind = in.u8();
        if (kind == CONTENT) {
            return new Content(Arrays.copyOfRange(bytes, 1, bytes.length));
        } else if (kind == ANNOUNCEMENT) {
            Announcement announcement = new Announcement(in.natural("a life"));
            in.end();
            return announcement;
        }
        throw new BadDataException("there is no parcel of kind " + kind);
    }
}
