/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lets messages between data centres take as long as on a wide-area network. Thread-safe.
 *
 * <p>A message is a {@link Runnable} that delivers it. Where no rule applies it runs at once on the caller's thread;
 * else later on the one timer thread, so it must not block. Messages of one kind of traffic from one data centre to
 * another keep the order in which they were submitted, whatever the jitter, as on one TCP connection: a message that is
 * late holds up those behind it. A cut drops what is sent and what is on its way.
 *
 * <p>Bounded: beyond {@code maxPending} messages on their way further ones are dropped and counted.
 */
public final class WanEmulator implements AutoCloseable {
    public static final int DEFAULT_MAX_PENDING = 200_000;

    /** Least wait before TCP sends a packet again on common systems. */
    private static final long RETRANSMIT_NANOS = 200_000_000L;

    private final RandomGenerator random;
    private final WanTimer timer;
    private final Map<FlowName, Flow> flows = new ConcurrentHashMap<>();
    private final AtomicLong cutDropped = new AtomicLong();
    private final LongAdder lost = new LongAdder();
    private volatile WanMatrix matrix = WanMatrix.NONE;
    private volatile boolean open = true;
    private boolean closed;

    /** @param random decides about loss and jitter; must be safe for several threads */
    public WanEmulator(RandomGenerator random, int maxPending) {
        this.random = random;
        this.timer = new WanTimer(maxPending);
    }

    /** Puts new rules in force, all at once. Messages on their way keep their time of arrival. */
    public synchronized void apply(WanMatrix newMatrix) {
        if (!closed) {
            matrix = newMatrix;
            open = newMatrix.isOpen();
        }
    }

    public WanMatrix matrix() {
        return matrix;
    }

    /** {@link WanMatrix#clockOffsetMicros} of the rules in force. */
    public long clockOffsetMicros(String... nameOrAddress) {
        return matrix.clockOffsetMicros(nameOrAddress);
    }

    /** {@link WanMatrix#diskPauseMicros} of the rules in force. */
    public long diskPauseMicros(String... nameOrAddress) {
        return matrix.diskPauseMicros(nameOrAddress);
    }

    /** Sends as {@link Traffic#STREAM}. */
    public void submit(String fromDc, String toDc, Runnable deliver) {
        submit(fromDc, toDc, Traffic.STREAM, deliver, () -> {});
    }

    /**
     * Sends a message on its way.
     *
     * @param dropped runs instead of {@code deliver} if the message is lost, cut off or refused for want of room; on
     *     the caller's or the timer's thread
     */
    public void submit(String fromDc, String toDc, Traffic traffic, Runnable deliver, Runnable dropped) {
        // Two volatile reads when emulation is off; the second one because what is still on its way goes first.
        if (open && timer.pending() == 0) {
            deliver.run();
            return;
        }
        WanLink link = matrix.link(fromDc, toDc);
        Flow flow = flow(fromDc, toDc, traffic);
        if (link.isOpen() && (flow == null || flow.pending.get() == 0)) {
            deliver.run();
        } else if (link.cut()) {
            cutDropped.incrementAndGet();
            dropped.run();
        } else {
            delay(link, flow == null ? newFlow(fromDc, toDc, traffic) : flow, traffic, deliver, dropped);
        }
    }

    private void delay(WanLink link, Flow flow, Traffic traffic, Runnable deliver, Runnable dropped) {
        long delayNanos = link.delayNanos() + (link.jitterNanos() > 0 ? random.nextLong(link.jitterNanos() + 1) : 0);
        if (link.loss() > 0 && random.nextDouble() < link.loss()) {
            if (traffic == Traffic.DATAGRAM) {
                lost.increment();
                dropped.run();
                return;
            }
            // Sent again once: the sender waits for its time-out, which covers a round trip.
            delayNanos += RETRANSMIT_NANOS + 2 * link.delayNanos();
        }
        flow.pending.incrementAndGet();
        Runnable arrive = () -> {
            try {
                if (matrix.link(flow.name.fromDc, flow.name.toDc).cut()) {
                    cutDropped.incrementAndGet();
                    dropped.run();
                } else {
                    deliver.run();
                }
            } finally {
                // Only now may a message that needs no delay pass on its own thread.
                flow.pending.decrementAndGet();
            }
        };
        boolean taken;
        synchronized (flow) {
            long dueNanos = System.nanoTime() + delayNanos;
            // Compared as differences: nanoTime may be negative and wraps.
            flow.lastDueNanos = flow.used && flow.lastDueNanos - dueNanos > 0 ? flow.lastDueNanos : dueNanos;
            flow.used = true;
            taken = timer.schedule(flow.lastDueNanos, arrive);
        }
        if (!taken) {
            flow.pending.decrementAndGet();
            dropped.run();
        }
    }

    private @Nullable Flow flow(String fromDc, String toDc, Traffic traffic) {
        return flows.get(new FlowName(fromDc, toDc, traffic));
    }

    private Flow newFlow(String fromDc, String toDc, Traffic traffic) {
        return flows.computeIfAbsent(new FlowName(fromDc, toDc, traffic), Flow::new);
    }

    /** Messages on their way now. */
    public int pending() {
        return timer.pending();
    }

    /** Messages lost by chance; of {@link Traffic#DATAGRAM} only. */
    public long lost() {
        return lost.sum();
    }

    /** Messages dropped by cuts. */
    public long cut() {
        return cutDropped.get();
    }

    /** Messages dropped because too many were on their way: the emulation was not faithful. */
    public long overflowed() {
        return timer.refused();
    }

    /** Ends the timer's thread; messages on their way are dropped, later ones run at once. */
    @Override
    public void close() {
        synchronized (this) {
            apply(WanMatrix.NONE);
            closed = true;
        }
        timer.close();
    }

    private record FlowName(String fromDc, String toDc, Traffic traffic) {}

    /** The messages of one kind between two data centres. There are few: data centres squared, times two. */
    private static final class Flow {
        final FlowName name;
        final AtomicLong pending = new AtomicLong();
        /** When the last submitted message arrives; guarded by this, valid if used. */
        long lastDueNanos;

        boolean used;

        Flow(FlowName name) {
            this.name = name;
        }
    }
}
