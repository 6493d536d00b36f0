/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.meteorshower.runtime.Clock;
import org.meteorshower.transactions.Catenae;
import org.meteorshower.transactions.fronts.Tokens;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;

/**
 * A data centre's process: a core, and the one thread that tells it what happens and has carried out what it wants. Its
 * public methods may be called by any thread and do not block.
 */
public final class CoreProcess implements AutoCloseable {
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final long STATUS_EVERY_NANOS = 100_000_000;
    private static final int MOST_AT_ONCE = 256;
    private static final long RETIRING_NANOS = 2_000_000;

    /** Messages and requests that may wait: about a second's worth at the most that a core takes. */
    private static final int MOST_WAITING = 20_000;

    private static final Answer ENDED = new Answer.Refused(
            Answer.Refusal.NOT_READY, "the process that was asked has ended; another one takes its place");

    private final Members members;
    private final Catenae core;
    private final Clock clock;
    private final Store store;
    private final Courier courier;
    private final Listener listener;
    private final EventQueue events;
    private final Clients clients = new Clients();
    private final PersistTimes persistTimes = new PersistTimes();
    private final Interpreter interpreter = new Interpreter();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean retired;
    private volatile boolean ended;
    private volatile boolean parked;
    private volatile Status status;

    /** @param ring where rows are: the same in all data centres */
    public CoreProcess(
            Members members,
            Settings settings,
            Recovery recovery,
            Clock clock,
            Store store,
            Courier courier,
            Listener listener,
            Tokens ring) {
        this.members = members;
        this.core = new Catenae(members, settings, recovery, ring);
        this.events = new EventQueue(MOST_WAITING, settings.budget().queuedBytes());
        this.clock = clock;
        this.store = store;
        this.courier = courier;
        this.listener = listener;
        this.status = statusNow();
        this.thread = new Thread(this::run, "MeteorShower-Transactions");
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** A message whose sender the transport has checked. Dropped where too much waits. */
    public void received(int from, Message message) {
        if (events.offer(new Event.Received(from, message))) {
            wake();
        }
    }

    /** The data centre's log is in this format, as is noted durably; see {@link Event.UsesFormat}. */
    public void uses(int format) {
        complete(new Event.UsesFormat(format));
    }

    /** @param deadlineNanos on the clock's scale of elapsed time */
    public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long client = clients.add(answer);
        return begin(client, answer, new Event.Submitted(client, request, deadlineNanos));
    }

    /** A snapshot read: all rows as of one place in the order, at least the token's. */
    public CompletableFuture<Answer> snapshot(Transaction transaction, long token, long deadlineNanos) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long client = clients.add(answer);
        return begin(client, answer, new Event.ReadSubmitted(client, transaction, false, token, deadlineNanos));
    }

    /** Until the users' tables hold all that the entries up to the token have written. */
    public CompletableFuture<Answer> awaitTables(long token, long deadlineNanos) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long client = clients.add(answer);
        return begin(client, answer, new Event.TablesAwaited(client, token, deadlineNanos));
    }

    private CompletableFuture<Answer> begin(long client, CompletableFuture<Answer> answer, Event event) {
        if (!events.offer(event)) {
            clients.answer(
                    client,
                    new Answer.Refused(
                            Answer.Refusal.OVERLOADED,
                            "as much waits here as may: " + events.bytes() + " bytes; try again in 100 ms"));
        }
        if (ended) {
            clients.answer(client, ENDED); // who came before the end was answered before it was told
        }
        wake();
        return answer;
    }

    public Status status() {
        return status;
    }

    public boolean isEnded() {
        return ended;
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        Throwable failure = null;
        try {
            loop();
            step(new Event.End()); // answers all that the core has heard of
            courier.flush();
        } catch (
                Throwable e) { // an invariant broke, or memory is short: whatever it is, this core is not to be trusted
            failure = e;
            clients.answerAll(new Answer.Unknown("this data centre's process has failed"));
        }
        ended = true;
        clients.answerAll(ENDED); // the core has not heard of these
        listener.ended(failure);
    }

    private void loop() {
        long statusNanos = System.nanoTime();
        step(new Event.Tick());
        long tickNanos = System.nanoTime() + pauseNanos();
        boolean retiring = false;
        while (!closed && !core.isStopped()) {
            if (retired && !retiring) {
                retiring = true;
                step(new Event.Retire());
            }
            for (int left = MOST_AT_ONCE; left > 0 && !core.isStopped(); left--) {
                Event event = events.poll();
                if (event == null) {
                    break;
                }
                step(event);
            }
            long now = System.nanoTime();
            if (now - tickNanos >= 0) {
                tellWhoIsSevered();
                step(new Event.Tick());
                tickNanos = now + pauseNanos();
            } else {
                // What happened may have brought the next closing nearer.
                tickNanos = Math.min(tickNanos - now, pauseNanos()) + now;
            }
            if (now - statusNanos >= STATUS_EVERY_NANOS) {
                statusNanos = now;
                status = statusNow();
            }
            courier.flush();
            pause(tickNanos - System.nanoTime());
        }
        status = statusNow();
    }

    private void tellWhoIsSevered() {
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && courier.isSevered(dc)) {
                step(new Event.Severed(dc));
            }
        }
    }

    private void pause(long nanos) {
        parked = true;
        if (nanos > 0 && events.isEmpty() && !closed) {
            LockSupport.parkNanos(nanos);
        }
        parked = false;
    }

    private long pauseNanos() {
        return Math.min(LONGEST_PAUSE_NANOS, 1_000 * core.tickInMicros());
    }

    private void step(Event event) {
        for (Effect effect : core.step(event, clock.now())) {
            effect.handOver(interpreter);
        }
    }

    /** Has the core's effects carried out: by the store, the courier, who waits, who listens. */
    private final class Interpreter implements Effect.Handler {
        @Override
        public void on(Effect.Send send) {
            courier.send(send.to(), send.message(), send.twice());
        }

        @Override
        public void on(Effect.Persist persist) {
            long begunNanos = System.nanoTime();
            store.persist(persist, event -> {
                persistTimes.took(System.nanoTime() - begunNanos);
                complete(event);
            });
        }

        @Override
        public void on(Effect.ReadRows read) {
            store.readRows(read, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.ReadKeys read) {
            store.readKeys(read, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.WriteRows write) {
            store.writeRows(write, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.WriteChanges write) {
            store.writeChanges(write, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.ReadPage read) {
            store.readPage(read, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.WritePage write) {
            store.writePage(write, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.ForgetEditions forget) {
            store.forgetEditions(forget, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.ReadLog read) {
            store.readLog(read, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.ReadDue read) {
            store.readDue(read, CoreProcess.this::complete);
        }

        @Override
        public void on(Effect.ForgetDue forget) {
            store.forgetDue(forget);
        }

        @Override
        public void on(Effect.Reply reply) {
            clients.answer(reply.client(), reply.answer());
        }

        @Override
        public void on(Effect.Alarm alarm) {
            listener.alarm(alarm);
        }
    }

    private void complete(Event event) {
        events.complete(event);
        wake();
    }

    private Status statusNow() {
        List<Long> decided = new ArrayList<>();
        List<Boolean> leads = new ArrayList<>();
        for (int lane = 0; lane < members.count(); lane++) {
            decided.add(core.decidedBelow(lane));
            leads.add(core.leads(lane));
        }
        return new Status(
                core.checkpoint(),
                decided,
                leads,
                clients.size(),
                core.isWhole(),
                core.usage(),
                events.bytes(),
                persistTimes.count(),
                persistTimes.averageMicros(),
                core.endsBehindMicros());
    }

    /**
     * Takes no clients any more, and ends when those for whom something was proposed have their answers, or the time is
     * over. Those that are turned away may ask another process. Waits.
     */
    public void retire(long patienceNanos) {
        long deadlineNanos = System.nanoTime() + patienceNanos;
        retired = true;
        LockSupport.unpark(thread);
        while (!ended && clients.size() > 0 && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(RETIRING_NANOS);
        }
        close();
    }

    /** Ends the thread; who waits is told how far it got. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (Thread.currentThread() != thread) {
            join();
        }
    }

    private void join() {
        try {
            thread.join(2_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How long batches take to be durable. Any thread tells. */
    private static final class PersistTimes {
        private long count;
        private long averageNanos;

        synchronized void took(long nanos) {
            count++;
            averageNanos += (nanos - averageNanos) / Math.min(count, 64);
        }

        synchronized long count() {
            return count;
        }

        synchronized long averageMicros() {
            return averageNanos / 1_000;
        }
    }
}
