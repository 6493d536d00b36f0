/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.Update;

/**
 * Looks on while the protocol core takes its steps, and tells what the {@link OnlineChecker} needs of them. Of
 * partitions it takes a sample, by a hash of their keys: of one that is in the sample all that this node sees is told,
 * and all nodes take the same ones. What answers hold is told by whoever reads the store. Used under the core's lock.
 */
public final class StepWatch {
    private final long maxAheadMicros;
    private final Sample sample;
    private final PeerWatch peers;
    private final WriteWatch writes;
    private final Events events = new Events();
    private final Effects wanted = new Effects();
    private Now now = new Now(0, 0);

    /**
     * @param maxAheadMicros how far a mutation's timestamp may be ahead of a clock
     * @param share of the partitions, 0 to 1
     * @param sink hears of everything in order; must not block
     */
    public StepWatch(NodeId self, Placement placement, long maxAheadMicros, double share, Consumer<Observation> sink) {
        this.maxAheadMicros = maxAheadMicros;
        this.sample = new Sample(self, placement, share, sink);
        this.peers = new PeerWatch(sample);
        this.writes = new WriteWatch(sample);
    }

    /** Whether the partition is in the sample. Thread-safe. */
    public boolean samples(PartitionKey key) {
        return sample.has(key);
    }

    /** The core has taken a step, and none of its effects has been carried out yet. */
    public void stepped(Event event, List<Effect> effects, Now at) {
        now = at;
        events.table = null;
        event.handOver(events);
        for (int i = 0; i < effects.size(); i++) {
            effects.get(i).handOver(wanted);
        }
        if (events.table != null) {
            sample.tell(new Observation.Unseen(events.table, farAhead()));
        }
    }

    /** No mutation that was stamped anywhere so far has a timestamp above this. */
    private long farAhead() {
        return Math.max(now.wallMicros(), peers.newestHlcMicros()) + maxAheadMicros;
    }

    /** What is to be learned of an event. */
    private final class Events implements Event.Handler {
        /** The one whose content may have come past the core by this event, or whose name begins or ends. */
        private @Nullable UUID table;

        @Override
        public void on(Event.Received received) {
            received.message().handOver(peers, received.from());
        }

        @Override
        public void on(Event.ScanStarted started) {}

        @Override
        public void on(Event.ScanLowered lowered) {}

        @Override
        public void on(Event.ScanRaised raised) {}

        @Override
        public void on(Event.ScanRead read) {}

        @Override
        public void on(Event.PinnedReadStarted started) {}

        @Override
        public void on(Event.PeersChanged changed) {
            peers.retain(changed.peers());
        }

        @Override
        public void on(Event.WriteStarted started) {
            writes.begins(started);
        }

        @Override
        public void on(Event.WriteAbandoned abandoned) {
            writes.abandoned(abandoned.writeId());
        }

        @Override
        public void on(Event.TableEnabled enabled) {
            table = enabled.empty() ? null : enabled.table();
        }

        @Override
        public void on(Event.TableFilled filled) {
            table = filled.table();
        }

        @Override
        public void on(Event.TableRepaired repaired) {}

        @Override
        public void on(Event.TableMoved moved) {
            table = moved.table();
        }

        @Override
        public void on(Event.TableFollowed followed) {}

        @Override
        public void on(Event.TableOpened opened) {
            table = opened.table();
        }

        @Override
        public void on(Event.TableLeft left) {
            table = left.table();
        }

        @Override
        public void on(Event.TableDisabled disabled) {
            table = disabled.table();
        }

        @Override
        public void on(Event.TableEnded ended) {
            table = ended.table();
        }

        @Override
        public void on(Event.BaselineConfirmed confirmed) {
            table = confirmed.table();
        }

        @Override
        public void on(Event.ForeignDataComing coming) {
            table = coming.table();
        }

        @Override
        public void on(Event.ForeignData foreign) {
            table = foreign.table();
        }

        // --- nothing ---------------------------------------------------------------------------------------------

        @Override
        public void on(Event.Tick tick) {}

        @Override
        public void on(Event.SettingsChanged changed) {}

        @Override
        public void on(Event.Intended intended) {}

        @Override
        public void on(Event.Applied applied) {}

        @Override
        public void on(Event.ApplyFailed failed) {}

        @Override
        public void on(Event.Acknowledging acknowledging) {}

        @Override
        public void on(Event.Observed observed) {}

        @Override
        public void on(Event.TimestampTaken taken) {}

        @Override
        public void on(Event.ReadStarted started) {}

        @Override
        public void on(Event.StoreRead read) {}

        @Override
        public void on(Event.ReadAbandoned abandoned) {}

        @Override
        public void on(Event.PeerRepairing repairing) {}

        @Override
        public void on(Event.ComeBack comeBack) {}

        @Override
        public void on(Event.Filled filled) {}

        @Override
        public void on(Event.JournalNearlyFull nearlyFull) {}

        @Override
        public void on(Event.PeerRepaired repaired) {}
    }

    /** What is to be learned of an effect. */
    private final class Effects implements Effect.Handler {
        private final OwnPromises promised = new OwnPromises();

        @Override
        public void on(Effect.Send send) {
            send.message().handOver(promised, send.to());
        }

        @Override
        public void on(Effect.JournalApplied applied) {
            Update update = applied.update();
            if (applied.appliedMicros() <= promised.upToMicros()) {
                sample.broken(
                        Violation.Kind.PROMISE_BROKEN,
                        update.key(),
                        "this node stamped mutation " + update.id().timestampMicros() + " at " + applied.appliedMicros()
                                + ", and had promised that all up to " + promised.upToMicros() + " was told");
            }
            if (sample.has(update.key())) {
                sample.stamped(update.key(), update.id(), sample.self(), applied.appliedMicros(), update);
            }
        }

        @Override
        public void on(Effect.ReceiptReturned returned) {}

        @Override
        public void on(Effect.WriteAnswer answer) {
            answer.handOver(writes);
        }

        @Override
        public void on(Effect.Alarm alarm) {
            if (alarm.kind() == Effect.AlarmKind.LEFT_BEHIND) {
                sample.tell(new Observation.Unseen(null, farAhead()));
            }
        }

        // --- nothing ---------------------------------------------------------------------------------------------

        @Override
        public void on(Effect.MutationAnswer answer) {}

        @Override
        public void on(Effect.ReadAnswer answer) {}

        @Override
        public void on(Effect.JournalRetired retired) {}

        @Override
        public void on(Effect.PersistCeiling ceiling) {}

        @Override
        public void on(Effect.JournalTable table) {}

        @Override
        public void on(Effect.JournalTableDropped dropped) {}

        @Override
        public void on(Effect.JournalStale peer) {}

        @Override
        public void on(Effect.FillFrom order) {}

        @Override
        public void on(Effect.ApplyFromJournal apply) {}

        @Override
        public void on(Effect.SettleFromJournal settle) {}

        @Override
        public void on(Effect.ApplyToStore apply) {}

        @Override
        public void on(Effect.Stirred stirred) {}

        @Override
        public void on(Effect.Rested rested) {}
    }
}
