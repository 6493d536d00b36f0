/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.protocol.Now;

/** One step of the core: when it happens, and the effects it has brought so far. The components share one instance. */
public final class Turn {
    private final Members members;
    private Now now = new Now(0, 0);
    private List<Effect> effects = new ArrayList<>();

    public Turn(Members members) {
        this.members = members;
    }

    public void begin(Now at) {
        now = at;
        effects = new ArrayList<>(4);
    }

    public List<Effect> end() {
        return effects;
    }

    public void emit(Effect effect) {
        effects.add(effect);
    }

    public void send(int to, Message message) {
        effects.add(new Effect.Send(to, message, false));
    }

    /** On two streams. */
    public void sendTwice(int to, Message message) {
        effects.add(new Effect.Send(to, message, true));
    }

    public void sendToOthers(Message message) {
        toOthers(message, false);
    }

    /** On two streams. */
    public void sendTwiceToOthers(Message message) {
        toOthers(message, true);
    }

    private void toOthers(Message message, boolean twice) {
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self()) {
                effects.add(new Effect.Send(dc, message, twice));
            }
        }
    }

    public void alarm(Effect.AlarmKind kind, String detail) {
        effects.add(new Effect.Alarm(kind, detail));
    }

    /** The clock that never goes back. */
    public long micros() {
        return now.elapsedNanos() / 1_000;
    }

    public long nanos() {
        return now.elapsedNanos();
    }

    public long wallMicros() {
        return now.wallMicros();
    }
}
