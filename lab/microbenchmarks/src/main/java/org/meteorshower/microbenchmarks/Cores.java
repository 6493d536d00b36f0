/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Settings;

/**
 * Protocol cores of one replica group, in one thread, on a network that delivers within the call. Used by one thread.
 */
final class Cores {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    private record Mail(int to, NodeId from, Message message) {}

    private final List<SequentialReads> cores = new ArrayList<>();
    private final ReplicaGroup group;
    private final ArrayDeque<Mail> mail = new ArrayDeque<>();
    private final List<Effect> answers = new ArrayList<>();
    private long micros;
    private long nextId = 1;

    Cores(int nodes, Settings settings) {
        NodeId[] ids = new NodeId[nodes];
        for (int i = 0; i < nodes; i++) {
            ids[i] = NodeId.of(i + 1);
        }
        group = ReplicaGroup.majority(ids);
        for (NodeId id : ids) {
            cores.add(new SequentialReads(
                    id, settings, key -> group, new Recovery(1, 0, List.of(), List.of(), List.of())));
        }
        Set<NodeId> all = new LinkedHashSet<>(group.members());
        for (int i = 0; i < nodes; i++) {
            step(i, new Event.PeersChanged(all));
            step(i, new Event.TableEnabled(Value.TABLE, true));
        }
        deliver();
        run(3_000_000);
    }

    private Now now() {
        return new Now(START_MICROS + micros, 1_000 * micros + 1);
    }

    void step(int node, Event event) {
        micros++;
        for (Effect effect : cores.get(node).step(event, now())) {
            if (effect instanceof Effect.Send send) {
                mail.add(new Mail(group.indexOf(send.to()), group.members().get(node), send.message()));
            } else {
                answers.add(effect);
            }
        }
    }

    void deliver() {
        for (Mail next = mail.poll(); next != null; next = mail.poll()) {
            step(next.to, new Event.Received(next.from, next.message));
        }
    }

    /** Lets time pass, with a tick of each node every millisecond. */
    void run(long spanMicros) {
        long endMicros = micros + spanMicros;
        while (micros < endMicros) {
            micros += 1_000;
            for (int i = 0; i < cores.size(); i++) {
                step(i, new Event.Tick());
            }
            deliver();
            answers.clear();
        }
    }

    /** The whole life of a write at its coordinator and all replicas, but for being retired. */
    void write(int coordinator, PartitionKey key) {
        long timestampMicros = beginWrite(coordinator, key);
        for (int i = 0; i < cores.size(); i++) {
            apply(i, Value.of(key, timestampMicros));
            step(
                    i,
                    new Event.Acknowledging(
                            group.members().get(coordinator),
                            key,
                            Value.of(key, timestampMicros).id()));
        }
        deliver();
        answers.clear();
    }

    long beginWrite(int coordinator, PartitionKey key) {
        step(coordinator, new Event.WriteStarted(nextId++, List.of(key), 0, false));
        for (Effect effect : answers) {
            if (effect instanceof Effect.WriteStamped stamped) {
                answers.clear();
                return stamped.timestampMicros();
            }
        }
        throw new IllegalStateException("the write was not stamped: " + answers);
    }

    void apply(int node, Value value) {
        answers.clear();
        step(node, new Event.Intended(value, null, 0, 0));
        for (int attempt = 1; attempt < 5 && !answers.isEmpty(); attempt++) {
            Effect answer = answers.get(answers.size() - 1);
            if (!(answer instanceof Effect.NeedHistory needed)) {
                break;
            }
            answers.clear();
            step(node, new Event.Intended(value, Kept.ROW, needed.asOfVersion(), attempt));
        }
        step(node, new Event.Applied(value.key(), value.id()));
        answers.clear();
    }

    /** Returns the cut of a read that needs no wait. */
    long read(int node, PartitionKey key) {
        long id = nextId++;
        answers.clear();
        step(node, new Event.ReadStarted(id, key, Value.ROW, 0, ReadMode.SEQUENTIAL, Long.MAX_VALUE));
        for (Effect effect : answers) {
            if (effect instanceof Effect.ReadAt at) {
                if (at.confirm()) {
                    step(node, new Event.StoreRead(id));
                }
                answers.clear();
                return at.info().cutMicros();
            }
        }
        throw new IllegalStateException("the read waits: " + answers);
    }

    int records(int node) {
        return cores.get(node).view().recordCount();
    }
}
