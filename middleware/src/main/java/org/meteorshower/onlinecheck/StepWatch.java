/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Update;

/**
 * Looks on while the protocol core takes its steps, and tells what the {@link OnlineChecker} needs of them. Of partitions it takes a
 * sample, by a hash of their keys: of one that is in the sample all that this node sees is told, and all nodes take the same ones.
 * What answers hold is told by whoever reads the store. Used under the core's lock.
 */
public final class StepWatch {
    private static final int MOST_WRITES = 10_000;

    /** How far timestamps may be ahead of the clock of a peer that has just begun a new life, leads and clock error included. */
    private static final long RESTART_MARGIN_MICROS = 2_000_000;

    /** A client's write under way, as far as it is in the sample. */
    private record Write(List<PartitionKey> keys, long timestampMicros) {}

    private final NodeId self;
    private final Placement placement;
    private final long maxAheadMicros;
    private final double share;
    private final Consumer<Observation> sink;
    private final PromiseWatch promises = new PromiseWatch();
    private final LinkedHashMap<Long, Write> writes = new LinkedHashMap<>();
    private long promisedMicros = Long.MIN_VALUE;
    private long newestHlcMicros;

    /**
     * @param maxAheadMicros how far a mutation's timestamp may be ahead of a clock
     * @param share of the partitions, 0 to 1
     * @param sink hears of everything in order; must not block
     */
    public StepWatch(NodeId self, Placement placement, long maxAheadMicros, double share, Consumer<Observation> sink) {
        this.self = self;
        this.placement = placement;
        this.maxAheadMicros = maxAheadMicros;
        this.share = share;
        this.sink = sink;
    }

    /** Whether the partition is in the sample. Thread-safe. */
    public boolean samples(PartitionKey key) {
        int mixed = key.hashCode() * 0x9e3779b9;
        return ((mixed ^ (mixed >>> 15)) & 0x7fffffff) < share * 0x1p31;
    }

    /** The core has taken a step, and none of its effects has been carried out yet. */
    public void stepped(Event event, List<Effect> effects, Now now) {
        if (event instanceof Event.Received received) {
            heard(received.from(), received.message());
        } else if (event instanceof Event.WriteAbandoned abandoned) {
            writes.remove(abandoned.writeId());
        }
        for (int i = 0; i < effects.size(); i++) {
            happened(event, effects.get(i), now);
        }
        if (event instanceof Event.Received || event instanceof Event.Tick) {
            return; // by far the most, and no table is touched by them
        }
        UUID table = tableTouched(event);
        if (table != null) {
            sink.accept(new Observation.Unseen(table, farAhead(now)));
        } else if (event instanceof Event.PeersChanged changed) {
            promises.retain(changed.peers());
        }
    }

    /** The table whose content may have come past the core by this event, or whose name begins or ends. */
    private static @Nullable UUID tableTouched(Event event) {
        if (event instanceof Event.TableEnabled enabled) {
            return enabled.empty() ? null : enabled.table();
        } else if (event instanceof Event.TableLeft left) {
            return left.table();
        } else if (event instanceof Event.TableMoved moved) {
            return moved.table();
        } else if (event instanceof Event.TableDisabled disabled) {
            return disabled.table();
        } else if (event instanceof Event.TableEnded ended) {
            return ended.table();
        } else if (event instanceof Event.BaselineConfirmed confirmed) {
            return confirmed.table();
        } else if (event instanceof Event.ForeignDataComing coming) {
            return coming.table();
        } else if (event instanceof Event.ForeignData foreign) {
            return foreign.table();
        }
        return null;
    }

    /** No mutation that was stamped anywhere so far has a timestamp above this. */
    private long farAhead(Now now) {
        return Math.max(now.wallMicros(), newestHlcMicros) + maxAheadMicros;
    }

    private void heard(NodeId from, Message message) {
        if (message instanceof Message.StatusMessage status) {
            newestHlcMicros = Math.max(newestHlcMicros, message.hlcMicros());
            newLife(promises.isNewLife(from, status.stream()));
            boolean gapless = promises.isNext(from, status);
            Violation broken = promises.heard(from, status);
            if (broken != null) {
                sink.accept(new Observation.Broken(broken));
            }
            announced(from, status.payload());
            if (!gapless) {
                for (List<Announcement> again : status.redundant()) {
                    announced(from, again);
                }
            }
        } else if (message instanceof Message.Snapshot snapshot) {
            newestHlcMicros = Math.max(newestHlcMicros, message.hlcMicros());
            newLife(promises.isNewLife(from, snapshot.stream()));
            promises.heard(from, snapshot);
            announced(from, snapshot.applied());
        }
    }

    /** One that has lost its journal, or forgot what it stamped in an epoch, may stamp again what it stamped in an earlier life. */
    private void newLife(boolean isNew) {
        if (isNew) {
            sink.accept(new Observation.Unseen(null, newestHlcMicros + RESTART_MARGIN_MICROS));
        }
    }

    private void announced(NodeId from, List<Announcement> announcements) {
        for (int i = 0; i < announcements.size(); i++) {
            Announcement told = announcements.get(i);
            if (samples(told.key())) {
                stamped(told.key(), told.id(), from, told.appliedMicros(), null);
            }
        }
    }

    private void stamped(PartitionKey key, MutationId id, NodeId by, long appliedMicros, @Nullable Update update) {
        ReplicaGroup group = placement.replicasOf(key);
        if (group.contains(by) && group.contains(self)) {
            sink.accept(new Observation.Stamped(key, group, id, by, appliedMicros, update));
        }
    }

    private void happened(Event event, Effect effect, Now now) {
        if (effect instanceof Effect.JournalApplied applied) {
            Update update = applied.update();
            if (applied.appliedMicros() <= promisedMicros) {
                broken(
                        Violation.Kind.PROMISE_BROKEN,
                        update.key(),
                        "this node stamped mutation " + update.id().timestampMicros() + " at " + applied.appliedMicros()
                                + ", and had promised that all up to " + promisedMicros + " was told");
            }
            if (samples(update.key())) {
                stamped(update.key(), update.id(), self, applied.appliedMicros(), update);
            }
        } else if (effect instanceof Effect.Send send) {
            if (send.message() instanceof Message.StatusMessage status) {
                promisedMicros = Math.max(promisedMicros, status.msgTsMicros());
            }
        } else if (effect instanceof Effect.WriteStamped stamped && event instanceof Event.WriteStarted started) {
            began(started, stamped.timestampMicros());
        } else if (effect instanceof Effect.WriteDone done) {
            Write write = writes.remove(done.writeId());
            if (write != null) {
                write.keys.forEach(key ->
                        sink.accept(new Observation.Acknowledged(key, write.timestampMicros, done.tokenMicros())));
            }
        } else if (effect instanceof Effect.Alarm alarm && alarm.kind() == Effect.AlarmKind.LEFT_BEHIND) {
            sink.accept(new Observation.Unseen(null, farAhead(now)));
        }
    }

    private void began(Event.WriteStarted started, long timestampMicros) {
        if (timestampMicros <= started.tokenMicros()) {
            broken(
                    Violation.Kind.NOT_ABOVE_TOKEN,
                    started.keys().get(0),
                    "a write of a session with token " + started.tokenMicros() + " got timestamp " + timestampMicros);
        }
        List<PartitionKey> sampled = new ArrayList<>(1);
        for (PartitionKey key : started.keys()) {
            if (samples(key)) {
                sampled.add(key);
            }
        }
        if (!sampled.isEmpty()) {
            writes.put(started.writeId(), new Write(sampled, timestampMicros));
            if (writes.size() > MOST_WRITES) {
                Map.Entry<Long, Write> eldest = writes.entrySet().iterator().next();
                writes.remove(eldest.getKey());
            }
        }
    }

    private void broken(Violation.Kind kind, @Nullable PartitionKey key, String text) {
        sink.accept(new Observation.Broken(new Violation(kind, key, text)));
    }
}
