/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.StreamId;

/**
 * Holds peers to their promises: a status message's own payload was stamped after all that earlier messages of the same
 * sender had promised to tell of, whatever was lost or came out of order. Used by one thread at a time.
 */
final class PromiseWatch {
    /** What a peer has promised. {@code seq} is the message of the stream that said so. */
    private record Promise(StreamId stream, long seq, long promisedMicros) {}

    private final Map<NodeId, Promise> promises = new HashMap<>();

    /** @return what is wrong, null where nothing is */
    @Nullable
    Violation heard(NodeId from, Message.StatusMessage status) {
        Promise before = promises.get(from);
        if (before != null && isNotLater(status.stream(), status.seq(), before)) {
            return null; // late, or repeated: it may tell of what was stamped before the promise that is known
        }
        if (before != null) {
            for (Announcement told : status.payload()) {
                if (told.appliedMicros() <= before.promisedMicros) {
                    keep(from, status.stream(), status.seq(), status.msgTsMicros());
                    return new Violation(
                            Violation.Kind.PROMISE_BROKEN,
                            told.key(),
                            from + " stamped mutation " + told.id().timestampMicros() + " at " + told.appliedMicros()
                                    + ", and had promised at message " + before.seq + " of " + before.stream
                                    + " that all up to " + before.promisedMicros + " was told");
                }
            }
        }
        keep(from, status.stream(), status.seq(), status.msgTsMicros());
        return null;
    }

    void heard(NodeId from, Message.Snapshot snapshot) {
        Promise before = promises.get(from);
        if (before == null || !isNotLater(snapshot.stream(), 0, before)) {
            keep(from, snapshot.stream(), 0, snapshot.snapshotMicros());
        }
    }

    /** Whether it follows the newest message heard of the peer: then what it repeats was heard before. */
    boolean isNext(NodeId from, Message.StatusMessage status) {
        Promise before = promises.get(from);
        return before != null && before.stream.equals(status.stream()) && before.seq + 1 == status.seq();
    }

    /** Whether the peer has begun another life since it was last heard, or was not heard before. */
    boolean isNewLife(NodeId from, StreamId stream) {
        Promise before = promises.get(from);
        return before == null || stream.senderIncarnation() > before.stream.senderIncarnation();
    }

    void retain(Set<NodeId> peers) {
        promises.keySet().retainAll(peers);
    }

    private void keep(NodeId from, StreamId stream, long seq, long promisedMicros) {
        Promise before = promises.get(from);
        promises.put(
                from,
                new Promise(
                        stream,
                        seq,
                        before == null ? promisedMicros : Math.max(before.promisedMicros, promisedMicros)));
    }

    private static boolean isNotLater(StreamId stream, long seq, Promise than) {
        int order = Long.compare(stream.senderIncarnation(), than.stream.senderIncarnation());
        if (order == 0) {
            order = Long.compare(stream.receiverIncarnation(), than.stream.receiverIncarnation());
        }
        if (order == 0) {
            order = Long.compare(stream.number(), than.stream.number());
        }
        return order == 0 ? seq <= than.seq : order < 0;
    }
}
