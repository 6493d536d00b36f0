/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import org.meteorshower.simulator.Network;
import org.meteorshower.simulator.Scheduler;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;

/** What the parts of a run share: time, links, data centres, who waits for answers, and who watches. */
final class World {
    static final long CLIENT_HOP_MICROS = 250;
    private static final long SEVERED_AGAIN_MICROS = 20_000;

    /** One death or cut of so many is not noticed by the connection: a machine vanishes. */
    private static final int SEVERED_UNHEARD = 4;

    final Plan plan;
    final Scheduler scheduler = new Scheduler();
    final SplittableRandom random;
    final Network network;
    final Mail mail;
    private final SplittableRandom severing;
    final Verifier verifier;
    final List<DataCentre> dcs = new ArrayList<>();
    final Map<String, Integer> alarms = new HashMap<>();
    private final Map<Long, Consumer<Answer>> waiting = new HashMap<>();
    private final Trace trace;
    private long lives;
    private long clients;
    long steps;

    World(Plan plan, Trace trace) {
        this.plan = plan;
        this.trace = trace;
        this.random = new SplittableRandom(plan.seed());
        this.severing = new SplittableRandom(~plan.seed());
        this.verifier = new Verifier(Work.seeded(plan));
        long[][] delays = new long[plan.dcs()][plan.dcs()];
        for (int from = 0; from < plan.dcs(); from++) {
            for (int to = 0; to < plan.dcs(); to++) {
                delays[from][to] = plan.delaysMicros().get(from).get(to);
            }
        }
        this.network = new Network(scheduler, random.split(), plan.links(), delays);
        this.mail = new Mail(this);
        for (int dc = 0; dc < plan.dcs(); dc++) {
            dcs.add(new DataCentre(dc, this, random.split()));
        }
    }

    long nextLife() {
        return ++lives;
    }

    /**
     * A data centre's process has died, or is cut off. Mostly the others hear that the connections have ended, now and
     * again until they stand again; a machine may also vanish. Messages may be on their way yet, and come later. Drawn
     * apart from all else.
     */
    void sever(int dc, IntPredicate others, BooleanSupplier isSevered) {
        if (severing.nextInt(SEVERED_UNHEARD) == 0) {
            return;
        }
        for (DataCentre other : dcs) {
            if (other.number != dc && others.test(other.number)) {
                scheduler.after(
                        plan.delaysMicros().get(dc).get(other.number), () -> tellSevered(dc, other.number, isSevered));
            }
        }
    }

    private void tellSevered(int dc, int to, BooleanSupplier isSevered) {
        if (isSevered.getAsBoolean()) {
            dcs.get(to).deliver(new Event.Severed(dc));
            scheduler.after(SEVERED_AGAIN_MICROS, () -> tellSevered(dc, to, isSevered));
        }
    }

    /** Sends a client's request to a data centre, where the youngest process takes it, or nobody. */
    void submit(int dc, LongFunction<Event> request, Consumer<Answer> answered) {
        long client = ++clients;
        waiting.put(client, answered);
        scheduler.after(CLIENT_HOP_MICROS, () -> {
            Representative process = dcs.get(dc).current();
            if (process != null) {
                process.happens(request.apply(client));
            }
        });
    }

    void reply(int dc, long client, Answer answer) {
        scheduler.after(CLIENT_HOP_MICROS, () -> {
            Consumer<Answer> waiter = waiting.remove(client);
            if (waiter != null) {
                note("client " + client + " hears from d" + dc + ": " + answer);
                waiter.accept(answer);
            } else {
                verifier.broken("client " + client + " was answered twice, the second time with " + answer);
            }
        });
    }

    void alarm(int dc, Effect.Alarm alarm) {
        alarms.merge(alarm.kind().name(), 1, Integer::sum);
        if (alarm.kind() == Effect.AlarmKind.DIVERGED) {
            verifier.audited("d" + dc + ": " + alarm.detail());
        }
    }

    void step(int dc, Object what) {
        steps++;
        trace.step(scheduler.nowMicros(), dc, what);
    }

    void note(String what) {
        trace.note(scheduler.nowMicros(), () -> what);
    }
}
