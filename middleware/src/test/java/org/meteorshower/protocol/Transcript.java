/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What happens in a {@link ScriptedCluster}, for people: one line for each thing that a node is told (&gt;) or wants
 * done (&lt;). Leaves out ticks, and status messages with nothing to tell. Times are milliseconds since the cluster's
 * start.
 */
final class Transcript {
    private final StringBuilder text = new StringBuilder();

    void title(String line) {
        text.append("\n# ").append(line).append('\n');
    }

    void event(ScriptedNode node, Event event) {
        String told = describe(event);
        if (!told.isEmpty()) {
            line(node, '>', told);
        }
    }

    void effect(ScriptedNode node, Effect effect) {
        String wanted = describe(effect);
        if (!wanted.isEmpty()) {
            line(node, '<', wanted);
        }
    }

    private void line(ScriptedNode node, char direction, String what) {
        text.append(String.format(
                Locale.ROOT, "%9s  %s %s %s%n", millis(node.cluster.nowMicros), node.id, direction, what));
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.3f", (micros - ScriptedCluster.START_MICROS) / 1_000.0);
    }

    private static String describe(Event event) {
        if (event instanceof Event.Received received) {
            String message = describe(received.message());
            return message.isEmpty() ? "" : "from " + received.from() + ": " + message;
        } else if (event instanceof Event.Intended intended) {
            return "a mutation is about to enter the store: " + intended.update()
                    + (intended.attempt() == 0 ? "" : ", here is what its rows hold");
        } else if (event instanceof Event.Applied) {
            return "it is in the store";
        } else if (event instanceof Event.Acknowledging acknowledging && acknowledging.coordinator() != null) {
            return "its acknowledgement leaves for " + acknowledging.coordinator();
        } else if (event instanceof Event.ReadStarted read) {
            return "a read begins" + (read.tokenMicros() == 0 ? "" : ", its token " + millis(read.tokenMicros()));
        } else if (event instanceof Event.StoreRead) {
            return "the store has been read";
        } else if (event instanceof Event.WriteStarted) {
            return "a write begins";
        } else {
            return "";
        }
    }

    private static String describe(Effect effect) {
        if (effect instanceof Effect.Send send) {
            String message = describe(send.message());
            return message.isEmpty() ? "" : "to " + send.to() + ": " + message;
        } else if (effect instanceof Effect.JournalApplied applied) {
            return "journal: applied at " + millis(applied.appliedMicros());
        } else if (effect instanceof Effect.JournalRetired) {
            return "journal: retired";
        } else if (effect instanceof Effect.PersistCeiling ceiling) {
            return "journal: ceiling " + millis(ceiling.ceilingMicros());
        } else if (effect instanceof Effect.NeedHistory) {
            return "what do its rows hold?";
        } else if (effect instanceof Effect.Stamped stamped) {
            return "stamped: applied at " + millis(stamped.appliedMicros());
        } else if (effect instanceof Effect.ApplyToStore apply) {
            return "apply again: " + apply.update();
        } else if (effect instanceof Effect.ApplyFromJournal) {
            return "apply again, from the journal";
        } else if (effect instanceof Effect.SettleFromJournal settle) {
            return "to " + settle.to() + ", from the journal: you may lack it";
        } else if (effect instanceof Effect.ReadAt at) {
            return "read at cut " + millis(at.info().cutMicros()) + ", "
                    + at.info().served().toString().toLowerCase(Locale.ROOT)
                    + (at.overlay() == null
                            ? ""
                            : ", from history and " + at.overlay().visible());
        } else if (effect instanceof Effect.ReadConfirmed) {
            return "that is the answer";
        } else if (effect instanceof Effect.WriteStamped stamped) {
            return "its timestamp is " + millis(stamped.timestampMicros());
        } else if (effect instanceof Effect.WriteDone done) {
            return "written, the session's token is now " + millis(done.tokenMicros());
        } else {
            return "";
        }
    }

    private static String describe(Message message) {
        if (message instanceof Message.StatusMessage status) {
            return status.payload().isEmpty()
                    ? ""
                    : "status " + status.seq() + " up to " + millis(status.msgTsMicros()) + ", "
                            + describe(status.payload());
        } else if (message instanceof Message.Snapshot snapshot) {
            return "snapshot at " + millis(snapshot.snapshotMicros()) + ", " + describe(snapshot.applied());
        } else if (message instanceof Message.Subscribe subscribe) {
            return "send me status, my life " + subscribe.incarnation();
        } else if (message instanceof Message.WriteAck ack) {
            return "applied at " + millis(ack.appliedMicros());
        } else if (message instanceof Message.Settle settle) {
            return "you may lack " + settle.update();
        } else if (message instanceof Message.Retired) {
            return "that is done with";
        } else {
            return "";
        }
    }

    private static String describe(List<Announcement> announcements) {
        return announcements.isEmpty()
                ? "nothing in flight"
                : announcements.stream()
                        .map(one ->
                                "applied " + millis(one.id().timestampMicros()) + " at " + millis(one.appliedMicros()))
                        .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return text.toString().stripLeading();
    }
}
