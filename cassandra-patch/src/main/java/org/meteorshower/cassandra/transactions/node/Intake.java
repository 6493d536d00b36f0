/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.function.ToIntFunction;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.port.Message;

/**
 * Takes what other nodes send for transactions, each time once, and from processes of other data centres only if their
 * formats fit. Thread-safe; called on the transport's threads, and does not block.
 */
final class Intake {
    /** Whom it concerns. */
    interface Owner {
        /** A node of this data centre says that it runs the process. */
        void announced(NodeId from, long life);

        /** A node of this data centre is about to. */
        void candidate();

        /** A node of this data centre does not any more. */
        void farewell(long life);

        /** A process of another data centre says something to this one's. */
        void received(int dc, Message message);

        /** A node sent what makes no sense. */
        void bad(NodeId from, BadDataException why);
    }

    private final ToIntFunction<NodeId> dcs;
    private final int self;
    private final Representatives representatives;
    private final PeerFormats formats;
    private final MessageCodec codec;
    private final Owner owner;
    private final Copies copies = new Copies();

    /**
     * @param dcs the number of a node's data centre, or {@link DataCentres#NONE}
     * @param self the number of this node's, or {@link DataCentres#NONE}
     */
    Intake(
            ToIntFunction<NodeId> dcs,
            int self,
            Representatives representatives,
            PeerFormats formats,
            MessageCodec codec,
            Owner owner) {
        this.dcs = dcs;
        this.self = self;
        this.representatives = representatives;
        this.formats = formats;
        this.codec = codec;
        this.owner = owner;
    }

    /**
     * A parcel from a node whose identity the transport has checked.
     *
     * @param version of the connection that brought it
     */
    void parcel(NodeId from, byte[] bytes, int version) {
        try {
            Parcel parcel = Parcel.decode(bytes, version);
            int dc = dcs.applyAsInt(from);
            if (dc == DataCentres.NONE) {
                outsider(parcel);
                return;
            }
            if (parcel instanceof Parcel.Contents contents) {
                contents(dc, from, contents, version);
            } else if (parcel instanceof Parcel.Announcement announcement) {
                announcement(dc, from, announcement);
            } else if (parcel instanceof Parcel.Farewell farewell && dc == self) {
                representatives.left(dc, from, farewell.life());
                owner.farewell(farewell.life());
            } else if (parcel instanceof Parcel.Candidacy && dc == self) {
                owner.candidate();
            } else if (parcel instanceof Parcel.Wish && dc == self) {
                formats.want();
            }
        } catch (BadDataException e) {
            owner.bad(from, e);
        }
    }

    /** Of a node whose data centre is not of the group: its clients ask this one's process, too. */
    private void outsider(Parcel parcel) {
        if (parcel instanceof Parcel.Wish) {
            formats.want();
        }
    }

    /** Who is not fit for this node runs its data centre's process all the same: here none must begin. */
    private void announcement(int dc, NodeId from, Parcel.Announcement announcement) {
        if (formats.heard(dc, from, announcement.life(), announcement.formats())) {
            representatives.heard(dc, from, announcement.life());
        }
        if (dc == self) {
            owner.announced(from, announcement.life());
        }
    }

    private void contents(int dc, NodeId from, Parcel.Contents contents, int version) {
        if (dc != self
                && formats.takesFrom(from, contents.life())
                && copies.isFirst(from, contents.life(), contents.number())) {
            contents.messages().forEach(message -> message(dc, from, message, version));
        }
    }

    /**
     * A message that came in pieces. They do not say of which life it is, so it must be from the process that is
     * believed in now: a plugin is not replaced in the two seconds since that was heard.
     */
    void large(NodeId from, byte[] bytes) {
        int dc = dcs.applyAsInt(from);
        Representatives.Heard believed = dc == DataCentres.NONE || dc == self ? null : representatives.of(dc);
        if (believed != null && believed.node().equals(from) && formats.takesFrom(from, believed.life())) {
            message(dc, from, bytes, MessageCodec.NEWEST);
        }
    }

    private void message(int dc, NodeId from, byte[] bytes, int version) {
        try {
            Message message = codec.decode(bytes, version);
            owner.received(dc, message);
        } catch (BadDataException e) {
            owner.bad(from, e);
        }
    }
}
