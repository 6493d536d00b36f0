/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Event;

/**
 * A client: one operation at a time, retried, resolved or given up when its outcome is unknown; at its own data centre,
 * or at another.
 */
final class Client {
    private static final int MOST_ATTEMPTS = 8;

    /** From when the tables hold what they should until they are read. */
    private static final long LONGEST_SCAN_MICROS = 20_000;

    final int number;
    private final World world;
    private final Work work;
    private final SplittableRandom random;
    private final Consumer<Operation> ended;

    /** Whether it loads rows, and nothing else. */
    private final boolean isLoader;

    private int home;
    private @Nullable SessionId session;
    private long sequence;
    private long token;
    private boolean stopped;
    private @Nullable Operation pending;
    boolean busy;

    /** @param ended hears of each operation, once */
    Client(
            int number,
            int home,
            World world,
            Work work,
            SplittableRandom random,
            boolean isLoader,
            Consumer<Operation> ended) {
        this.number = number;
        this.home = home;
        this.world = world;
        this.work = work;
        this.random = random;
        this.isLoader = isLoader;
        this.ended = ended;
    }

    /** What it still waits for. */
    @Nullable
    Operation pending() {
        return pending;
    }

    /** Begins no operation any more. */
    void stop() {
        stopped = true;
    }

    void next() {
        if (stopped) {
            busy = false;
            return;
        }
        busy = true;
        Operation operation = isLoader
                ? work.load(random, world.scheduler.nowMicros())
                : work.draw(random, world.scheduler.nowMicros());
        operation.once = random.nextInt(8) == 0;
        begin(operation);
    }

    void begin(Operation operation) {
        busy = true;
        pending = operation;
        sequence++;
        attempt(operation);
    }

    private void attempt(Operation operation) {
        operation.attempts++;
        int dc = operation.attempts == 1 && random.nextInt(20) > 0 ? home : random.nextInt(world.plan.dcs());
        operation.dc = dc;
        switch (operation.kind) {
            case STRICT_READ ->
                send(
                        dc,
                        (client, deadline) ->
                                new Event.ReadSubmitted(client, operation.transaction, true, token, deadline),
                        answer -> answered(operation, answer));
            case SNAPSHOT_OF_LISTS, SNAPSHOT_OF_BANK ->
                send(
                        dc,
                        (client, deadline) ->
                                new Event.ReadSubmitted(client, operation.transaction, false, token, deadline),
                        answer -> snapshot(operation, answer));
            case SCAN -> scan(operation, dc);
            default -> run(operation, dc);
        }
    }

    /** Two steps: what was acknowledged has its place below a token, and the tables there hold all up to it. */
    private void scan(Operation operation, int dc) {
        DataCentre asked = world.dcs.get(dc);
        long losses = asked.diskLosses;
        long atLeast = world.verifier.acknowledgedBelow();
        send(
                dc,
                (client, deadline) -> new Event.ReadSubmitted(client, operation.transaction, true, token, deadline),
                answer -> {
                    if (answer instanceof Answer.Done placed) {
                        token = Math.max(token, placed.token());
                        send(
                                dc,
                                (client, deadline) -> new Event.TablesAwaited(client, placed.token(), deadline),
                                told -> scanned(operation, told, asked, losses, atLeast));
                    } else {
                        again(operation);
                    }
                });
    }

    private void scanned(Operation operation, Answer told, DataCentre asked, long losses, long atLeast) {
        if (!(told instanceof Answer.Snapshot)) {
            again(operation);
            return;
        }
        world.scheduler.after(random.nextLong(LONGEST_SCAN_MICROS), () -> {
            if (asked.diskLosses == losses) {
                world.verifier.scanned(
                        new ScannedRows(asked.number, atLeast, asked.disk.tables.scan(), world.scheduler.nowMicros()));
                operation.ends(Operation.Status.OK, List.of(), world.scheduler.nowMicros());
                end(operation);
            } else {
                again(operation);
            }
        });
    }

    private void run(Operation operation, int dc) {
        if (operation.once) {
            Request request = new Request.Once(operation.transaction);
            send(
                    dc,
                    (client, deadline) -> new Event.Submitted(client, request, deadline),
                    answer -> answeredOnce(operation, answer));
            return;
        }
        SessionId in = session;
        if (in == null) {
            send(
                    dc,
                    (client, deadline) -> new Event.Submitted(client, new Request.Open(), deadline),
                    answer -> opened(operation, answer));
            return;
        }
        Request request = new Request.Run(in, sequence, operation.transaction);
        send(
                dc,
                (client, deadline) -> new Event.Submitted(client, request, deadline),
                answer -> answered(operation, answer));
        if (random.nextInt(30) == 0) {
            // The network, or a driver, brings it twice, and not always to the same place: a refusal of one says
            // nothing of the other.
            operation.inDoubt = true;
            send(
                    random.nextInt(world.plan.dcs()),
                    (client, deadline) -> new Event.Submitted(client, request, deadline),
                    answer -> {});
        }
    }

    private interface Asked {
        Event event(long client, long deadlineNanos);
    }

    private void send(int dc, Asked asked, Consumer<Answer> answered) {
        boolean[] heard = {false};
        long deadlineMicros = world.plan.work().deadlineMicros();
        world.submit(
                dc,
                client -> asked.event(client, world.dcs.get(dc).now().elapsedNanos() + 1_000 * deadlineMicros),
                answer -> {
                    if (!heard[0]) {
                        heard[0] = true;
                        answered.accept(answer);
                    }
                });
        world.scheduler.after(deadlineMicros + 500_000, () -> {
            if (!heard[0]) {
                heard[0] = true;
                answered.accept(new Answer.Unknown("no answer came"));
            }
        });
    }

    private void opened(Operation operation, Answer answer) {
        if (answer instanceof Answer.Done done && done.outcome() instanceof Outcome.Committed committed) {
            session = new SessionId(
                    (int) whole(committed.values().get(0)),
                    whole(committed.values().get(1)),
                    (int) whole(committed.values().get(2)));
            token = Math.max(token, done.token());
            attempt(operation);
        } else {
            again(operation);
        }
    }

    private static long whole(Value value) {
        return ((Value.Whole) value).value();
    }

    private void answered(Operation operation, Answer answer) {
        if (answer instanceof Answer.Done done) {
            done(operation, done);
        } else if (answer instanceof Answer.Snapshot seen) {
            // A core that takes a strict read for a snapshot read says so only in the kind of its answer.
            operation.ends(Operation.Status.OK, seen.values(), world.scheduler.nowMicros());
            end(operation);
        } else if (answer instanceof Answer.Unknown) {
            operation.inDoubt = operation.kind != Operation.Kind.STRICT_READ;
            SessionId in = session;
            if (operation.inDoubt && in != null && random.nextInt(4) == 0) {
                resolve(operation, in);
            } else {
                again(operation);
            }
        } else {
            again(operation);
        }
    }

    private void answeredOnce(Operation operation, Answer answer) {
        if (answer instanceof Answer.Done done) {
            done(operation, done);
        } else if (answer instanceof Answer.Unknown) {
            operation.ends(Operation.Status.UNKNOWN, List.of(), -1);
            end(operation);
        } else {
            again(operation);
        }
    }

    private void resolve(Operation operation, SessionId in) {
        operation.attempts++;
        send(
                random.nextInt(world.plan.dcs()),
                (client, deadline) -> new Event.Submitted(client, new Request.Resolve(in, sequence), deadline),
                answer -> {
                    if (answer instanceof Answer.Done done) {
                        done(operation, done);
                    } else {
                        again(operation);
                    }
                });
    }

    private void done(Operation operation, Answer.Done done) {
        token = Math.max(token, done.token());
        long now = world.scheduler.nowMicros();
        world.verifier.acknowledged(new Verifier.Acknowledged(
                operation.kind == Operation.Kind.STRICT_READ || operation.once ? null : session,
                sequence,
                done.outcome(),
                done.token() - 1,
                operation.invokedMicros,
                now));
        if (done.outcome() instanceof Outcome.Committed committed) {
            operation.ends(Operation.Status.OK, committed.values(), now);
        } else {
            Outcome.Reason reason = ((Outcome.Aborted) done.outcome()).reason();
            boolean forgotten = reason == Outcome.Reason.SESSION_EXPIRED || reason == Outcome.Reason.NUMBER_FORGOTTEN;
            if (reason == Outcome.Reason.SESSION_EXPIRED) {
                session = null;
            }
            operation.ends(
                    forgotten && operation.inDoubt ? Operation.Status.UNKNOWN : Operation.Status.FAILED,
                    List.of(),
                    now);
        }
        end(operation);
    }

    private void snapshot(Operation operation, Answer answer) {
        long now = world.scheduler.nowMicros();
        if (answer instanceof Answer.Snapshot seen) {
            world.verifier.snapshot(
                    new Verifier.SnapshotSeen(operation.transaction, seen.values(), seen.token(), token));
            if (operation.kind == Operation.Kind.SNAPSHOT_OF_BANK) {
                checkBank(seen.values());
            }
            token = Math.max(token, seen.token());
            operation.ends(Operation.Status.OK, seen.values(), now);
            end(operation);
        } else {
            again(operation);
        }
    }

    private void checkBank(List<Value> balances) {
        long sum = 0;
        boolean setUp = false;
        for (Value balance : balances) {
            if (balance instanceof Value.Whole whole) {
                sum += whole.value();
                setUp = true;
            }
        }
        if (setUp && sum != work.bankSum()) {
            world.verifier.broken("bank: a snapshot saw " + balances + ", whose sum is " + sum);
        }
    }

    private void again(Operation operation) {
        if (operation.attempts >= MOST_ATTEMPTS || random.nextInt(5) == 0) {
            operation.ends(operation.inDoubt ? Operation.Status.UNKNOWN : Operation.Status.FAILED, List.of(), -1);
            end(operation);
        } else {
            world.scheduler.after(20_000 + random.nextInt(200_000), () -> attempt(operation));
        }
    }

    private void end(Operation operation) {
        pending = null;
        ended.accept(operation);
        if (random.nextInt(40) == 0) {
            home = random.nextInt(world.plan.dcs());
        }
        long think =
                isLoader ? world.plan.load().thinkMicros() : world.plan.work().thinkMicros();
        world.scheduler.after(random.nextLong(Math.max(1, 2 * think)), this::next);
    }
}
