/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The published algorithm (§4.2), small: three replicas, perfect clocks, links that lose and reorder nothing. It is a rival to
 * be measured, not a part of what nodes run. A read asks each replica's last status message, if that is fresh enough, and so
 * mixes statuses of different age in one decision.
 *
 * <p>Deterministic: a seed decides everything. Used by one thread.
 */
public final class PublishedAlgorithm {
    /** What "a majority agrees on the value" is taken to mean. */
    public enum Agreement {
        /** The largest version that a majority holds, or something larger. */
        LARGEST_AT_A_MAJORITY,
        /** The very same version at a majority. */
        IDENTICAL_AT_A_MAJORITY
    }

    /**
     * @param pairMicros one-way delays between the replicas 0-1, 0-2 and 1-2
     * @param withAllowance whether θ is the delay to the nearest peer (MeteorShower2) or 0 (MeteorShower1)
     * @param rows of one cell each
     */
    public record Setting(
            List<Long> pairMicros,
            boolean withAllowance,
            Agreement agreement,
            int rows,
            int sessions,
            int operations) {}

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
    private final List<Replica> replicas = new ArrayList<>();
    private int begun;
    private int done;

    private PublishedAlgorithm(Setting setting, long seed, OperationSink sink, Consumer<String> transcript) {
        this.setting = setting;
        this.random = new SplittableRandom(seed);
        this.sink = sink;
        this.transcript = transcript;
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(new Replica(i));
        }
    }

    /** Runs and tells the sink what clients saw. */
    public static void run(Setting setting, long seed, OperationSink sink, Consumer<String> transcript) {
        new PublishedAlgorithm(setting, seed, sink, transcript).run();
    }

    private void run() {
        replicas.forEach(replica -> scheduler.after(random.nextLong(DISPATCH_MICROS), replica::dispatch));
        for (int i = 0; i < setting.sessions; i++) {
            String name = "s" + i;
            Replica home = replicas.get(i % REPLICAS);
            scheduler.after(300_000 + random.nextLong(10_000), () -> next(name, home));
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = done < setting.operations && scheduler.nowMicros() < RUN_MICROS && scheduler.step();
        }
    }

    private void next(String session, Replica home) {
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

    private void over(String session, Replica home) {
        done++;
        scheduler.after(random.nextLong(2_000), () -> next(session, home));
    }

    private void write(String session, Replica home, int row) {
        long startMicros = scheduler.nowMicros();
        long version = home.nextVersion(startMicros);
        int[] acknowledged = {0};
        note(() -> session + " begins to write " + name(row, version) + " at n" + home.number);
        for (Replica replica : replicas) {
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

    private void send(Replica from, Replica to, Runnable then) {
        scheduler.after(delayMicros(from.number, to.number), then);
    }

    private long delayMicros(int a, int b) {
        return a == b ? 100 : setting.pairMicros.get(a + b - 1);
    }

    private void note(Supplier<String> what) {
        transcript.accept(
                scheduler.nowMicros() / 1_000 + "." + scheduler.nowMicros() / 100 % 10 + " ms: " + what.get());
    }

    private static String name(int row, long version) {
        return version == 0 ? "nothing of r" + row : "r" + row + "=" + version;
    }

    private final class Replica {
        final int number;
        final Map<Long, Boolean> received = new HashMap<>();
        private final long[] newest = new long[setting.rows];

        /** The statusMap: per peer and row the largest version that it reported, and how fresh that is. */
        private final long[][] reported = new long[REPLICAS][setting.rows];

        private final long[] msgTsMicros = new long[REPLICAS];
        private final List<Read> waiting = new ArrayList<>();
        private long lastVersion;

        Replica(int number) {
            this.number = number;
        }

        /** By the clock, and no two alike. */
        long nextVersion(long nowMicros) {
            lastVersion = Math.max(nowMicros * 4 + number, lastVersion + 4);
            return lastVersion;
        }

        void apply(int row, long version) {
            received.put(version, true);
            newest[row] = Math.max(newest[row], version);
            wake();
        }

        void dispatch() {
            long[] payload = newest.clone();
            long nowMicros = scheduler.nowMicros();
            for (Replica peer : replicas) {
                if (peer != this) {
                    send(this, peer, () -> peer.heard(number, payload, nowMicros));
                }
            }
            scheduler.after(DISPATCH_MICROS, this::dispatch);
        }

        private void heard(int from, long[] payload, long atMicros) {
            reported[from] = payload;
            msgTsMicros[from] = atMicros;
            wake();
        }

        private void wake() {
            waiting.removeIf(Read::isAnswered);
        }

        long thetaMicros() {
            long nearest = Long.MAX_VALUE;
            for (int peer = 0; peer < REPLICAS; peer++) {
                nearest = peer == number ? nearest : Math.min(nearest, delayMicros(number, peer));
            }
            return setting.withAllowance ? nearest : 0;
        }

        /** What a read begun at T returns, or null where it has to wait. */
        @Nullable
        Long decide(int row, long beganMicros) {
            long[] versions = new long[REPLICAS];
            int valid = 0;
            for (int peer = 0; peer < REPLICAS; peer++) {
                if (peer == number) {
                    versions[valid++] = newest[row];
                } else if (msgTsMicros[peer] + thetaMicros() > beganMicros) {
                    versions[valid++] = reported[peer][row];
                }
            }
            if (valid < MAJORITY) {
                return null;
            }
            Arrays.sort(versions, 0, valid);
            for (int i = valid - MAJORITY; i >= 0; i--) {
                boolean agreed = setting.agreement == Agreement.LARGEST_AT_A_MAJORITY
                        || versions[i] == versions[i + MAJORITY - 1];
                if (agreed) {
                    return versions[i] == 0 || received.containsKey(versions[i]) ? Long.valueOf(versions[i]) : null;
                }
            }
            return null;
        }

        String knows(int row, long beganMicros) {
            StringBuilder text = new StringBuilder();
            for (int peer = 0; peer < REPLICAS; peer++) {
                boolean fresh = peer == number || msgTsMicros[peer] + thetaMicros() > beganMicros;
                text.append(peer == 0 ? "" : ", ").append('n').append(peer).append(' ');
                text.append(
                        fresh ? name(row, peer == number ? newest[row] : reported[peer][row]) : "not heard in time");
                if (fresh && peer != number) {
                    text.append(" (")
                            .append((scheduler.nowMicros() - msgTsMicros[peer]) / 1_000)
                            .append(" ms old)");
                }
            }
            return text.toString();
        }
    }

    private final class Read {
        private final String session;
        private final Replica home;
        private final int row;
        private final long beganMicros = scheduler.nowMicros();
        private boolean over;

        Read(String session, Replica home, int row) {
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
                home.waiting.add(this);
            }
        }

        /** Answers if it can; true where nothing is left to do. */
        boolean isAnswered() {
            Long version = over ? null : home.decide(row, beganMicros);
            if (version != null) {
                over = true;
                note(() -> session + " reads " + name(row, version) + " at n" + home.number + ", which has: "
                        + home.knows(row, beganMicros));
                sink.read(
                        session,
                        "r" + row,
                        version == 0 ? null : Long.toString(version),
                        beganMicros * 1_000,
                        scheduler.nowMicros() * 1_000);
                scheduler.after(100, () -> over(session, home));
            }
            return over;
        }
    }
}
