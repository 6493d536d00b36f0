/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.Update;

/**
 * A run for people to read: one line per event and effect, with times in seconds since the run began and mutations
 * named W1, W2 and so on in the order in which they appear. Ticks, status messages that bring nothing new, and other
 * housekeeping are counted, not shown.
 */
public final class Transcript implements Trace {
    private final Consumer<String> lines;
    private final Map<MutationName, String> names = new HashMap<>();
    private long hidden;

    public Transcript(Consumer<String> lines) {
        this.lines = lines;
    }

    /** How many events and effects were not worth a line. */
    public long hidden() {
        return hidden;
    }

    @Override
    public void step(long nowMicros, int node, Object what) {
        String text = what instanceof Event event ? event(event) : effect((Effect) what);
        if (text == null) {
            hidden++;
        } else {
            lines.accept(String.format(Locale.ROOT, "%11.6f  n%d %s", nowMicros / 1e6, node, text));
        }
    }

    @Override
    public void note(long nowMicros, Supplier<String> what) {
        lines.accept(String.format(Locale.ROOT, "%11.6f  %s", nowMicros / 1e6, what.get()));
    }

    /** A hybrid time, in seconds since the run began. */
    static String time(long hybridMicros) {
        return hybridMicros == Long.MAX_VALUE
                ? "never"
                : hybridMicros < SimulatedNode.EPOCH_MICROS / 2
                        ? Long.toString(hybridMicros)
                        : String.format(Locale.ROOT, "%.6f", (hybridMicros - SimulatedNode.EPOCH_MICROS) / 1e6);
    }

    static String cells(Map<Integer, Cell> cells) {
        return new TreeMap<>(cells)
                .entrySet().stream()
                        .map(e -> "r" + e.getKey() / 100 + "c" + e.getKey() % 100 + "="
                                + (e.getValue().value() == null
                                        ? "deleted"
                                        : e.getValue().value()))
                        .collect(Collectors.joining(" ", "{", "}"));
    }

    private String name(MutationName mutation) {
        return names.computeIfAbsent(mutation, m -> "W" + (names.size() + 1));
    }

    private String describe(CellUpdate update) {
        return name(MutationName.of(update)) + " (p" + Session.partitionOf(update.key()) + " " + cells(update.cells())
                + " written at " + time(update.id().timestampMicros()) + ")";
    }

    private @Nullable String event(Event event) {
        if (event instanceof Event.Received received) {
            String message = message(received.message());
            return message == null ? null : "hears from " + received.from() + ": " + message;
        } else if (event instanceof Event.Intended intended) {
            return "is offered " + describe((CellUpdate) intended.update());
        } else if (event instanceof Event.Applied applied) {
            return "has in its store " + name(new MutationName(applied.key(), applied.id()));
        } else if (event instanceof Event.ReadStarted read) {
            return "read " + read.readId() + " of p" + Session.partitionOf(read.key()) + " begins, token "
                    + time(read.tokenMicros());
        } else if (event instanceof Event.ForeignData) {
            return "is told that data came in unannounced";
        } else if (event instanceof Event.Filled filled) {
            return filled.complete() ? "is filled" : "is not filled in full";
        } else if (event instanceof Event.PeerRepaired repaired) {
            return "is told that " + repaired.peer() + " was repaired";
        }
        return null;
    }

    private @Nullable String effect(Effect effect) {
        if (effect instanceof Effect.Send send) {
            String message = message(send.message());
            return message == null ? null : "tells " + send.to() + ": " + message;
        } else if (effect instanceof Effect.JournalApplied applied) {
            return "stamps " + name(MutationName.of((CellUpdate) applied.update())) + " with "
                    + time(applied.appliedMicros());
        } else if (effect instanceof Effect.JournalRetired retired) {
            return "retires " + name(new MutationName(retired.key(), retired.id()));
        } else if (effect instanceof Effect.JournalStale stale) {
            return (stale.stale() ? "leaves behind " : "takes back ") + stale.peer();
        } else if (effect instanceof Effect.FillFrom order) {
            return "is filled from " + order.sources();
        } else if (effect instanceof Effect.ReadAt at) {
            return "read " + at.readId() + " at cut " + time(at.info().cutMicros()) + " "
                    + at.info().served()
                    + (at.overlay() == null
                            ? " from the store"
                            : " from history and " + updates(at.overlay().visible()));
        } else if (effect instanceof Effect.ReadFailed failed) {
            return "read " + failed.readId() + " fails: " + failed.detail();
        } else if (effect instanceof Effect.ApplyToStore apply) {
            return "applies again " + name(MutationName.of((CellUpdate) apply.update()));
        } else if (effect instanceof Effect.ApplyFromJournal apply) {
            return "applies again from the journal " + name(new MutationName(apply.key(), apply.id()));
        } else if (effect instanceof Effect.SettleFromJournal settle) {
            return "sends " + settle.to() + " from the journal " + name(new MutationName(settle.key(), settle.id()));
        } else if (effect instanceof Effect.NoRoom) {
            return "refuses it: too much is in flight";
        } else if (effect instanceof Effect.RefuseMutation) {
            return "refuses it: its timestamp is too far ahead";
        } else if (effect instanceof Effect.Alarm alarm) {
            return "alarm: " + alarm.detail();
        }
        return null;
    }

    private String updates(List<? extends Update> updates) {
        return updates.stream()
                .map(update -> name(MutationName.of((CellUpdate) update)))
                .toList()
                .toString();
    }

    private @Nullable String message(Message message) {
        if (message instanceof Message.StatusMessage status) {
            return status.payload().isEmpty()
                    ? null
                    : "status up to " + time(status.msgTsMicros()) + ": applied " + announced(status.payload());
        } else if (message instanceof Message.Snapshot snapshot) {
            return "snapshot at " + time(snapshot.snapshotMicros())
                    + (snapshot.behindMicros() == 0 ? "" : ", behind as of " + snapshot.behindMicros()) + ": applied "
                    + announced(snapshot.applied());
        } else if (message instanceof Message.Subscribe subscribe) {
            return "subscribe, stream " + subscribe.number();
        } else if (message instanceof Message.Settle settle) {
            return "settle " + name(MutationName.of((CellUpdate) settle.update()));
        } else if (message instanceof Message.Fetch fetch) {
            return "fetch " + name(new MutationName(fetch.key(), fetch.id()));
        } else if (message instanceof Message.WhetherComplete question) {
            return "is it complete: " + name(new MutationName(question.key(), question.id()));
        } else if (message instanceof Message.Complete answer) {
            return "complete: " + name(new MutationName(answer.key(), answer.id()));
        } else if (message instanceof Message.Retired retired) {
            return "done with "
                    + retired.mutations().stream()
                            .map(one -> name(new MutationName(one.key(), one.id())))
                            .toList()
                    + " by " + time(retired.byMicros());
        } else if (message instanceof Message.Pull) {
            return "pull";
        } else if (message instanceof Message.Returning returning) {
            return returning.filledMicros() == 0 ? "wait for me" : "I am filled as of " + returning.filledMicros();
        } else if (message instanceof Message.Awaited awaited) {
            return (awaited.admitted() ? "taken back as of " : "waiting for you since ") + awaited.awaitedMicros();
        } else if (message instanceof Message.Stale) {
            return "you were left behind";
        }
        return null;
    }

    private String announced(List<Announcement> announcements) {
        return announcements.stream()
                .map(one -> name(MutationName.of(one)) + " at " + time(one.appliedMicros()))
                .toList()
                .toString();
    }
}
