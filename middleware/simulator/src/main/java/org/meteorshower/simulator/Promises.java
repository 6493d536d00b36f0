/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.StreamId;

/**
 * Holds every node to what its status messages promise: with {@code msgTs} = m, all that it stamped at m or before and
 * that the receiver shares is told in the stream, and all that it stamps later is stamped above m, also after a
 * restart. And to what retiring promises: nothing is forgotten that a peer was not told of.
 */
final class Promises {
    private static final class Stream {
        final StreamId id;
        final Map<MutationName, Long> untold = new LinkedHashMap<>();

        Stream(StreamId id) {
            this.id = id;
        }
    }

    private static final class Sender {
        final Map<MutationName, Long> kept = new LinkedHashMap<>();
        /** By the number of the receiver. */
        final @Nullable Stream[] streams;

        final long[] promisedMicros;

        Sender(int nodes) {
            streams = new Stream[nodes];
            promisedMicros = new long[nodes];
            Arrays.fill(promisedMicros, Long.MIN_VALUE);
        }
    }

    private final Placement placement;
    private final List<Sender> senders = new ArrayList<>();
    private @Nullable String firstBroken;

    Promises(Placement placement, int nodes) {
        this.placement = placement;
        for (int i = 0; i < nodes; i++) {
            senders.add(new Sender(nodes));
        }
    }

    /** The first promise that was broken, described; null where all were kept. */
    @Nullable
    String firstBroken() {
        return firstBroken;
    }

    void broken(String what) {
        if (firstBroken == null) {
            firstBroken = what;
        }
    }

    void restarted(int node) {
        Arrays.fill(senders.get(node).streams, null);
    }

    /** The node answers to this name of the table no more, and nobody asks it by that. */
    void dropped(int node, UUID table) {
        Sender sender = senders.get(node);
        sender.kept.keySet().removeIf(name -> name.key().table().equals(table));
        for (Stream stream : sender.streams) {
            if (stream != null) {
                stream.untold.keySet().removeIf(name -> name.key().table().equals(table));
            }
        }
    }

    /** The node has started, and knows the table by these names alone. */
    void keepOnly(int node, Set<UUID> tables) {
        senders.get(node)
                .kept
                .keySet()
                .removeIf(name -> !tables.contains(name.key().table()));
    }

    void stamped(int node, CellUpdate update, long appliedMicros) {
        Sender sender = senders.get(node);
        MutationName name = MutationName.of(update);
        sender.kept.put(name, appliedMicros);
        for (NodeId peer : placement.replicasOf(update.key()).members()) {
            int to = SimulatedNode.numberOf(peer);
            Stream stream = sender.streams[to];
            if (stream != null) {
                stream.untold.put(name, appliedMicros);
            }
            long promised = sender.promisedMicros[to];
            if (appliedMicros <= promised) {
                broken("n" + node + " stamped " + update + " at " + appliedMicros + ", after it had promised " + peer
                        + " that it had told all up to " + promised);
            }
        }
    }

    void retired(int node, MutationName name) {
        Sender sender = senders.get(node);
        sender.kept.remove(name);
        for (int to = 0; to < sender.streams.length; to++) {
            Stream stream = sender.streams[to];
            if (stream != null && stream.untold.remove(name) != null) {
                broken("n" + node + " forgot " + name + " before it told n" + to + " of it");
            }
        }
    }

    void leftBehind(int node, NodeId peer) {
        senders.get(node).streams[SimulatedNode.numberOf(peer)] = null;
    }

    void sent(int node, int to, Message message) {
        if (message instanceof Message.StatusMessage status) {
            Stream stream = senders.get(node).streams[to];
            if (stream != null && stream.id.equals(status.stream())) {
                told(stream, status.payload());
                promised(node, to, stream, status.msgTsMicros());
            }
        } else if (message instanceof Message.Snapshot snapshot) {
            Sender sender = senders.get(node);
            Stream before = sender.streams[to];
            boolean again = before != null && before.id.equals(snapshot.stream());
            if (snapshot.part() == 0 && !again) {
                Stream begun = new Stream(snapshot.stream());
                NodeId receiver = NodeId.of(to);
                sender.kept.forEach((name, appliedMicros) -> {
                    if (placement.replicasOf(name.key()).contains(receiver)) {
                        begun.untold.put(name, appliedMicros);
                    }
                });
                sender.streams[to] = begun;
            }
            Stream stream = sender.streams[to];
            if (stream != null) {
                told(stream, snapshot.applied());
                if (snapshot.part() == snapshot.parts() - 1) {
                    promised(node, to, stream, snapshot.snapshotMicros());
                }
            }
        }
    }

    private static void told(Stream stream, List<Announcement> announcements) {
        if (!stream.untold.isEmpty()) {
            announcements.forEach(announcement -> stream.untold.remove(MutationName.of(announcement)));
        }
    }

    private void promised(int node, int to, Stream stream, long micros) {
        long[] promised = senders.get(node).promisedMicros;
        if (micros > 0) {
            promised[to] = Math.max(promised[to], micros);
        }
        if (stream.untold.isEmpty()) {
            return;
        }
        stream.untold.forEach((name, appliedMicros) -> {
            if (appliedMicros <= micros) {
                broken("n" + node + " promised n" + to + " that it had told all up to " + micros + ", and had not told "
                        + name + ", stamped at " + appliedMicros);
            }
        });
    }
}
