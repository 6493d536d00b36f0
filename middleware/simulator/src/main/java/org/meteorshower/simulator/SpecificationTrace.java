/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.simulator.TraceSteps.Step;
import org.meteorshower.simulator.TraceSteps.Time;

/**
 * Writes down what a run did, in the words of the specification ReadsAtACut.tla. It looks at what the cores were told,
 * what they had carried out, and what they know after each step; it does not know why.
 *
 * <p>That a peer's time has gone on is written down only where it matters next: before a read and before something is
 * forgotten. A read is written down where it was offered its cut, and left out where its session has no answer.
 */
final class SpecificationTrace implements Trace {
    /** A read or a write at the node that serves it. */
    private record Request(int node, Object name) {}

    /** A node in its present life. */
    private static final class Known {
        final Map<Integer, Map<MutationName, Long>> heard = new HashMap<>();
        final Map<Integer, Long> covered = new HashMap<>();
        final Map<Integer, Long> coveredTold = new HashMap<>();
        final Map<MutationName, CoreView.InFlight> inFlight = new HashMap<>();
        final Map<MutationName, TreeSet<Integer>> toldBy = new HashMap<>();
        final TreeSet<MutationName> asked = new TreeSet<>(SpecificationTrace::byTimestamp);
    }

    private final TraceSteps steps = new TraceSteps();
    private final int nodes;
    private final List<Known> known = new ArrayList<>();
    private final List<Map<MutationName, Long>> stamped = new ArrayList<>();
    private final long[] promisedMicros;
    private final boolean[] hasStarted;
    private final Map<Request, Step> reads = new HashMap<>();
    private final Map<Request, Step> writes = new HashMap<>();

    SpecificationTrace(int nodes) {
        this.nodes = nodes;
        this.promisedMicros = new long[nodes];
        this.hasStarted = new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            known.add(new Known());
            stamped.add(new HashMap<>());
        }
    }

    TraceSteps steps() {
        return steps;
    }

    private static int byTimestamp(MutationName a, MutationName b) {
        return a.id().compareTo(b.id());
    }

    // --- cores -------------------------------------------------------------------------------------------------

    @Override
    public void started(int node, CoreView core) {
        known.set(node, new Known());
        if (hasStarted[node]) {
            Map<MutationName, Long> journal = new HashMap<>();
            for (CoreView.InFlight each : core.inFlight()) {
                Long own = each.stampMicros().get(NodeId.of(node));
                if (own != null) {
                    journal.put(nameOf(each), own);
                }
            }
            steps.add("restart", node, steps.stamps(journal));
        }
        hasStarted[node] = true;
    }

    @Override
    public void stepped(int node, Event event, CoreView core) {
        Known now = known.get(node);
        if (event instanceof Event.Received received && received.message() instanceof Message.Retired retired) {
            retired.mutations().forEach(each -> now.toldBy
                    .computeIfAbsent(new MutationName(each.key(), each.id()), name -> new TreeSet<>())
                    .add(SimulatedNode.numberOf(received.from())));
        } else if (event instanceof Event.Applied applied) {
            MutationName name = new MutationName(applied.key(), applied.id());
            if (stamped.get(node).containsKey(name)) {
                steps.add("store", node, steps.write(name));
            }
        }
        look(node, now, core);
    }

    private void look(int node, Known now, CoreView core) {
        Map<MutationName, CoreView.InFlight> inFlight = new HashMap<>();
        core.inFlight().forEach(each -> inFlight.put(nameOf(each), each));
        List<MutationName> gone = now.inFlight.keySet().stream()
                .filter(name -> !inFlight.containsKey(name))
                .sorted(Comparator.comparing(MutationName::id).reversed()) // one may go since a later one has gone
                .toList();
        now.inFlight.putAll(inFlight);
        for (int peer = 0; peer < nodes; peer++) {
            Long upTo = peer == node ? null : core.coveredUpToMicros(NodeId.of(peer));
            if (upTo != null) {
                now.covered.put(peer, upTo);
            }
            Map<MutationName, Long> heard = heard(now, peer);
            if (peer != node && !heard.equals(now.heard.getOrDefault(peer, Map.of()))) {
                hears(node, peer);
            }
        }
        gone.forEach(name -> retires(node, name));
    }

    private static Map<MutationName, Long> heard(Known now, int peer) {
        Map<MutationName, Long> heard = new HashMap<>();
        now.inFlight.forEach((name, each) -> {
            Long stamp = each.stampMicros().get(NodeId.of(peer));
            if (stamp != null) {
                heard.put(name, stamp);
            }
        });
        return heard;
    }

    private void hears(int node, int peer) {
        Known now = known.get(node);
        Map<MutationName, Long> heard = heard(now, peer);
        long upTo = now.covered.getOrDefault(peer, 0L);
        now.heard.put(peer, heard);
        now.coveredTold.put(peer, upTo);
        steps.add("hear", node, peer, new Time(upTo), steps.stamps(heard));
    }

    /** What was heard of a peer's time and not written down yet. */
    private void hearsAll(int node) {
        for (int peer = 0; peer < nodes; peer++) {
            hearsIfNew(node, peer);
        }
    }

    private void hearsIfNew(int node, int peer) {
        Known now = known.get(node);
        if (peer != node && !now.covered.getOrDefault(peer, 0L).equals(now.coveredTold.getOrDefault(peer, 0L))) {
            hears(node, peer);
        }
    }

    private void retires(int node, MutationName name) {
        Known now = known.get(node);
        hearsAll(node);
        for (int peer = 0; peer < nodes; peer++) {
            hearsIfNew(/* node= */ peer, /* peer= */ node);
        }
        now.inFlight.remove(name);
        for (int peer = 0; peer < nodes; peer++) {
            now.heard.put(peer, heard(now, peer));
        }
        asks(node, name);
        steps.add("retire", node, steps.write(name));
    }

    /** What a peer has told that it is done with is written down where it matters. */
    private void asks(int node, MutationName name) {
        Known now = known.get(node);
        if (toldBy(now, name) >= 0 && now.asked.add(name)) {
            steps.add("ask", node, toldBy(now, name), steps.write(name));
        }
    }

    /** The peer that told that it is done with; -1 where none did. */
    private static int toldBy(Known now, MutationName name) {
        TreeSet<Integer> peers = now.toldBy.get(name);
        return peers == null ? -1 : peers.first();
    }

    @Override
    public void step(long nowMicros, int node, Object what) {
        if (what instanceof Effect.JournalApplied applied) {
            stamps(node, MutationName.of((CellUpdate) applied.update()), applied.appliedMicros());
        } else if (what instanceof Effect.Send send) {
            promises(node, send.message());
        } else if (what instanceof Effect.WriteStamped write) {
            writes.put(new Request(node, write.writeId()), steps.begun("begin"));
        } else if (what instanceof Effect.ReadAt at) {
            offered(node, at.readId(), at.info().cutMicros());
        }
    }

    private void stamps(int node, MutationName name, long micros) {
        Long before = stamped.get(node).put(name, micros);
        String action = before == null ? "stamp" : "again";
        if (before == null || before != micros) {
            steps.add(action, node, steps.write(name), new Time(micros), new Time(promisedMicros[node]));
        }
    }

    private void promises(int node, Message message) {
        if (message instanceof Message.StatusMessage status) {
            promisedMicros[node] = Math.max(promisedMicros[node], status.msgTsMicros());
        } else if (message instanceof Message.Snapshot snapshot) {
            promisedMicros[node] = Math.max(promisedMicros[node], snapshot.snapshotMicros());
        } else if (message instanceof Message.WriteAck ack) {
            MutationName name = named(ack.key(), ack.timestampMicros());
            if (name != null && !stamped.get(node).containsKey(name)) {
                steps.add("late", node, steps.write(name), new Time(ack.appliedMicros()));
            }
        }
    }

    private @Nullable MutationName named(PartitionKey key, long timestampMicros) {
        for (MutationName name : steps.names()) {
            if (name.key().equals(key) && name.id().timestampMicros() == timestampMicros) {
                return name;
            }
        }
        return null;
    }

    private static MutationName nameOf(CoreView.InFlight each) {
        return new MutationName(each.key(), each.id());
    }

    // --- clients -----------------------------------------------------------------------------------------------

    @Override
    public void offered(int node, Object read, long cutMicros) {
        Known now = known.get(node);
        hearsAll(node);
        now.inFlight.forEach((name, each) -> {
            Long by = each.everywhereByMicros();
            if (by != null && by <= cutMicros) {
                asks(node, name);
            }
        });
        reads.put(new Request(node, read), steps.begun("read"));
    }

    @Override
    public void wasRead(
            String session,
            int node,
            @Nullable Object read,
            long readId,
            PartitionKey key,
            long cutMicros,
            Map<Integer, Cell> content) {
        Step step = reads.remove(new Request(node, read == null ? readId : read));
        if (step != null) {
            Long timestamp = content.values().stream()
                    .map(Cell::timestampMicros)
                    .findFirst()
                    .orElse(null);
            step.complete(
                    steps.session(session), node, new Time(cutMicros), steps.shown(key, timestamp), steps.key(key));
        }
    }

    @Override
    public void began(String session, int node, long writeId, List<CellUpdate> updates) {
        Step step = writes.remove(new Request(node, writeId));
        if (step != null) {
            MutationName name = MutationName.of(updates.get(0));
            step.complete(
                    steps.session(session),
                    node,
                    steps.begins(name),
                    new Time(name.id().timestampMicros()),
                    steps.key(name.key()));
        }
    }

    @Override
    public void wrote(String session, List<CellUpdate> updates, long tokenMicros) {
        if (tokenMicros < 0) {
            steps.add("give-up", steps.session(session));
        } else {
            steps.add("end", steps.session(session), new Time(tokenMicros));
        }
    }
}
