/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The published algorithm (§4.2), small: three replicas, perfect clocks, links that lose and reorder nothing. It is a
 * rival to be measured, not a part of what nodes run. A read asks each replica's last status message, if that is fresh
 * enough, and so mixes statuses of different age in one decision.
 *
 * <p>Deterministic: a seed decides everything. Used by one thread.
 */
public final class PublishedAlgorithm {
    /**
     * @param pairMicros one-way delays between the replicas 0-1, 0-2 and 1-2
     * @param withAllowance whether θ is the delay to the nearest peer (MeteorShower2) or 0 (MeteorShower1)
     * @param rows of one cell each
     */
    public record Setting(
            List<Long> pairMicros, boolean withAllowance, MajorityValue rule, int rows, int sessions, int operations) {}

    private static final int REPLICAS = 3;
    private static final int MAJORITY = 2;
    private static final long DISPATCH_MICROS = 10_000;
    private static final long TIMEOUT_MICROS = 2_000_000;
    private static final long RUN_MICROS = 600_000_000;

    private final Scheduler scheduler = new Scheduler();
    private final SplittableRandom random;
    private final Setting setting;
    private final OperationSink sink;
    private final Consumer<String> transcript;
    private final List<PublishedReplica> replicas = new ArrayList<>();
    private int begun;
    private int done;

    private PublishedAlgorithm(Setting setting, long seed, OperationSink sink, Consumer<String> transcript) {
        this.setting = setting;
        this.random = new SplittableRandom(seed);
        this.sink = sink;
        this.transcript = transcript;
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(new PublishedReplica(i, REPLICAS, setting.rows, setting.rule, thetaMicros(i)));
        }
    }

    /** Runs and tells the sink what clients saw. */
    public static void run(Setting setting, long seed, OperationSink sink, Consumer<String> transcript) {
        new PublishedAlgorithm(setting, seed, sink, transcript).run();
    }

    private long thetaMicros(int replica) {
        long nearest = Long.MAX_VALUE;
        for (int peer = 0; peer < REPLICAS; peer++) {
            nearest = peer == replica ? nearest : Math.min(nearest, delayMicros(replica, peer));
        }
        return setting.withAllowance ? nearest : 0;
    }

    private void run() {
        replicas.forEach(replica -> scheduler.after(random.nextLong(DISPATCH_MICROS), () -> dispatch(replica)));
        for (int i = 0; i < setting.sessions; i++) {
            String name = "s" + i;
            PublishedReplica home = replicas.get(i % REPLICAS);
            scheduler.after(300_000 + random.nextLong(10_000), () -> next(name, home));
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = done < setting.operations && scheduler.nowMicros() < RUN_MICROS && scheduler.step();
        }
    }

    private void dispatch(PublishedReplica from) {
        long[] payload = from.payload();
        long nowMicros = scheduler.nowMicros();
        for (PublishedReplica peer : replicas) {
            if (peer != from) {
                send(from, peer, () -> peer.heard(from.number, payload, nowMicros));
            }
        }
        scheduler.after(DISPATCH_MICROS, () -> dispatch(from));
    }

    private void next(String session, PublishedReplica home) {
        if (begun++ >= setting.operations) {
            return;
        }
        int row = random.nextInt(setting.rows);
        if (random.nextBoolean()) {
            new Read(session, home, row).begin();
        } else {
            write(session, home, row);
        }
    }

    private void over(String session, PublishedReplica home) {
        done++;
        scheduler.after(random.nextLong(2_000), () -> next(session, home));
    }

    private void write(String session, PublishedReplica home, int row) {
        long startMicros = scheduler.nowMicros();
        long version = home.nextVersion(startMicros);
        int[] acknowledged = {0};
        note(() -> session + " begins to write " + name(row, version) + " at n" + home.number);
        for (PublishedReplica replica : replicas) {
            send(home, replica, () -> {
                replica.apply(row, version);
                send(replica, home, () -> {
                    if (++acknowledged[0] == MAJORITY) {
                        note(() -> session + " has written " + name(row, version));
                        sink.write(
                                session,
                                "r" + row,
                                Long.toString(version),
                                startMicros * 1_000,
                                scheduler.nowMicros() * 1_000,
                                version);
                        over(session, home);
                    }
                });
            });
        }
    }

    private void send(PublishedReplica from, PublishedReplica to, Runnable then) {
        scheduler.after(delayMicros(from.number, to.number), then);
    }

    private long delayMicros(int a, int b) {
        return a == b ? 100 : setting.pairMicros.get(a + b - 1);
    }

    private void note(Supplier<String> what) {
        transcript.accept(
                scheduler.nowMicros() / 1_000 + "." + scheduler.nowMicros() / 100 % 10 + " ms: " + what.get());
    }

    /** A version of a row as transcripts name it; 0 is none. */
    static String name(int row, long version) {
        return version == 0 ? "nothing of r" + row : "r" + row + "=" + version;
    }

    private final class Read {
        private final String session;
        private final PublishedReplica home;
        private final int row;
        private final long beganMicros = scheduler.nowMicros();
        private boolean over;

        Read(String session, PublishedReplica home, int row) {
            this.session = session;
            this.home = home;
            this.row = row;
        }

        void begin() {
            scheduler.after(TIMEOUT_MICROS, () -> {
                if (!over) {
                    over = true; // what it would have seen, nobody was told
                    over(session, home);
                }
            });
            if (!isAnswered()) {
                home.waits(this::isAnswered);
            }
        }

        /** Answers if it can; true where nothing is left to do. */
        boolean isAnswered() {
            Long version = over ? null : home.decide(row, beganMicros);
            if (version != null) {
                over = true;
                long nowMicros = scheduler.nowMicros();
                note(() -> session + " reads " + name(row, version) + " at n" + home.number + ", which has: "
                        + home.describe(row, beganMicros, nowMicros));
                sink.read(
                        session,
                        "r" + row,
                        version == 0 ? null : Long.toString(version),
                        beganMicros * 1_000,
                        nowMicros * 1_000);
                scheduler.after(100, () -> over(session, home));
            }
            return over;
        }
    }
}
