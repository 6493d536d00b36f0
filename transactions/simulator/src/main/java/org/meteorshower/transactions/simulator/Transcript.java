/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Observer;

/**
 * A run for people to read: a line for each event and effect but the most frequent ones, with seconds since the run
 * began.
 */
final class Transcript implements Trace {
    private final Consumer<String> lines;

    Transcript(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public void step(long nowMicros, int node, Object what) {
        boolean frequent = what instanceof Event.Tick
                || what instanceof Event.Persisted
                || what instanceof Effect.Persist
                || (what instanceof Effect.Send send && isFrequent(send.message()))
                || (what instanceof Event.Received received && isFrequent(received.message()))
                || (what instanceof Observer.Executed executed
                        && executed.entry().submissions().isEmpty());
        if (!frequent) {
            lines.accept(String.format(Locale.ROOT, "%11.6f  d%d %s", nowMicros / 1e6, node, what));
        }
    }

    private static boolean isFrequent(Message message) {
        return message instanceof Message.Accepted
                || message instanceof Message.Progress
                || (message instanceof Message.Propose propose
                        && propose.entry().submissions().isEmpty());
    }

    @Override
    public void note(long nowMicros, Supplier<String> what) {
        lines.accept(String.format(Locale.ROOT, "%11.6f  %s", nowMicros / 1e6, what.get()));
    }
}
