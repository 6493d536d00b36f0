/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of the core: when it happens, and the effects it has brought so far. The components share one instance. */
final class Turn {
    /** Five times what Cassandra has a client's write wait. */
    private static final long LATE_MICROS = 10_000_000;

    final HybridClock clock;
    private final LiveSettings settings;
    private Now now = new Now(0, 0);

    /** Most steps bring none: a status message that tells nothing new. */
    private List<Effect> effects = List.of();

    Turn(HybridClock clock, LiveSettings settings) {
        this.clock = clock;
        this.settings = settings;
    }

    void begin(Now at) {
        now = at;
        effects = List.of();
    }

    /** The step's effects; a larger ceiling, where one is needed, comes before all of them. */
    List<Effect> end() {
        if (clock.outgrewCeiling()) {
            effectsToChange().add(0, new Effect.PersistCeiling(clock.ceiling()));
        }
        return effects;
    }

    private List<Effect> effectsToChange() {
        if (effects.isEmpty()) {
            effects = new ArrayList<>(4);
        }
        return effects;
    }

    void emit(Effect effect) {
        effectsToChange().add(effect);
    }

    void send(NodeId to, Message message) {
        emit(new Effect.Send(to, message));
    }

    void alarm(Effect.AlarmKind kind, String detail) {
        emit(new Effect.Alarm(kind, detail));
    }

    /** Whether no client waits for a mutation any more: a hint brings it, a batch's replay, or a peer's journal. */
    boolean isLate(long timestampMicros) {
        return clock.value() - timestampMicros > LATE_MICROS;
    }

    long tick() {
        return clock.tick(now.wallMicros());
    }

    long wallMicros() {
        return now.wallMicros();
    }

    long nanos() {
        return now.elapsedNanos();
    }

    /** No status message carries the receipt: whoever gave it answers the coordinator. */
    void giveBack(@Nullable NodeId coordinator, long receipt) {
        if (coordinator != null && receipt != Event.Acknowledging.NO_RECEIPT) {
            emit(new Effect.ReceiptReturned(coordinator, receipt));
        }
    }

    /** Describes a token that is too far ahead, and alarms: some clock, or some client, is off. */
    String alarmOfTokenAhead(long tokenMicros) {
        String detail = "the session token is " + (tokenMicros - now.wallMicros()) / 1_000
                + " ms ahead of this node's clock: check the clocks, or begin a new session";
        alarm(Effect.AlarmKind.CLOCK_AHEAD, detail);
        return detail;
    }

    /** The clock becomes at least this, if it can be. */
    void observed(long micros) {
        if (tooFarAhead(micros)) {
            alarmOfTokenAhead(micros);
        } else {
            clock.raise(micros);
        }
    }

    /** Whether a value that came from outside is further ahead than clocks may differ. */
    boolean tooFarAhead(long micros) {
        return micros - now.wallMicros() > settings.now().maxAheadMicros();
    }
}
