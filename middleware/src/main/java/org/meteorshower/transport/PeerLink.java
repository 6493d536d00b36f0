/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.runtime.Transport.CallFailedException;
import org.meteorshower.wan.Traffic;
import org.meteorshower.wan.WanEmulator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's connection to one peer, kept up as long as the peer is known. {@link #send} and {@link #call} may be
 * called by any thread and never block; all else happens on one loop.
 *
 * <p>States: without a connection it connects; what is sent meanwhile waits. After a failure it waits before it tries
 * again; what is sent meanwhile is dropped.
 */
final class PeerLink implements OutgoingConnection.Owner {
    private enum State {
        IDLE,
        CONNECTING,
        READY,
        BACKING_OFF,
        CLOSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    /** A connection that lasted so long was a good one: the next wait is short again. */
    private static final long GOOD_NANOS = 2_000_000_000L;

    private static final class Pending {
        final CompletableFuture<byte[]> future = new CompletableFuture<>();
        volatile @Nullable ScheduledFuture<?> timeout;

        /** Whether it was given to a connection. Written on the loop. */
        volatile boolean sent;
    }

    private final Ends ends;
    private final NodeId peer;
    private final PeerDirectory.Peer place;
    private final EventLoop loop;
    private final BiFunction<EventLoop, OutgoingConnection.Owner, Bootstrap> bootstraps;
    private final ByteAccount queued;
    private final ConcurrentLinkedQueue<Outgoing> outbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final Map<Long, Pending> calls = new ConcurrentHashMap<>();
    private final AtomicInteger callsUnderWay = new AtomicInteger();
    private final AtomicLong nextCall = new AtomicLong();
    // The rest is touched on the loop only.
    private State state = State.IDLE;
    private @Nullable OutgoingConnection connector;
    private long backoffMillis;
    private long readyNanos;
    private volatile int version;
    private volatile boolean standing;
    private volatile String trouble = "not connected yet";
    // Of messages and parcels; written on the loop, read by any thread.
    private final LongAdder sentMessages = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();

    PeerLink(
            Ends ends,
            NodeId peer,
            PeerDirectory.Peer place,
            EventLoop loop,
            BiFunction<EventLoop, OutgoingConnection.Owner, Bootstrap> bootstraps) {
        this.ends = ends;
        this.peer = peer;
        this.place = place;
        this.loop = loop;
        this.bootstraps = bootstraps;
        this.queued = new ByteAccount(ends.options().limits().maxQueuedBytes());
        this.version = ends.options().versions().newest();
        this.backoffMillis = ends.options().limits().reconnectMinMillis();
    }

    PeerDirectory.Peer place() {
        return place;
    }

    PeerTraffic traffic() {
        return new PeerTraffic(sentMessages.sum(), sentBytes.sum());
    }

    long queuedBytes() {
        return queued.used();
    }

    /** Which version to encode messages in: that of the present connection, or of the last one. */
    int version() {
        return version;
    }

    /**
     * @param encodedIn the version that it is encoded in; dropped, as if it were lost, where the connection is of
     *     another
     */
    void send(byte[] message, int encodedIn) {
        if (!reserve(message.length)) {
            ends.counters().droppedFull.increment();
            return;
        }
        travel(Traffic.DATAGRAM, new Outgoing(FrameType.MESSAGE, message, new WireVersions(encodedIn, encodedIn)));
    }

    /** Whether the connection that this node opened stands. Any thread. */
    boolean isReady() {
        return standing;
    }

    /**
     * Returns whether there was room.
     *
     * @param versions in which it is understood; dropped, as if it were lost, where the connection is of none of them
     */
    boolean parcel(byte[] content, WireVersions versions) {
        if (!reserve(content.length)) {
            ends.counters().droppedFull.increment();
            return false;
        }
        travel(Traffic.DATAGRAM, new Outgoing(FrameType.PARCEL, content, versions));
        return true;
    }

    CompletableFuture<byte[]> call(byte[] request, Duration timeout) {
        long number = nextCall.incrementAndGet();
        byte[] content =
                new WireOutput(request.length + 10).varint(number).raw(request).toBytes();
        if (callsUnderWay.incrementAndGet() > ends.options().limits().maxCalls() || !reserve(content.length)) {
            callsUnderWay.decrementAndGet();
            ends.counters().callsFailed.increment();
            return CompletableFuture.failedFuture(
                    new CallFailedException("too much is waiting for node " + peer, false));
        }
        Pending pending = new Pending();
        calls.put(number, pending);
        try {
            pending.timeout = loop.schedule(
                    () -> failed(number, "node " + peer + " did not answer within " + timeout.toMillis() + " ms"),
                    timeout.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            failed(number, "the transport is closed");
        }
        travel(Traffic.STREAM, new Outgoing(FrameType.CALL, content, WireVersions.ANY));
        return pending.future;
    }

    private void travel(Traffic traffic, Outgoing outgoing) {
        WanEmulator wan = ends.wan();
        if (wan == null) {
            enqueue(outgoing);
            return;
        }
        wan.submit(ends.options().dataCenter(), place.dataCenter(), traffic, () -> enqueue(outgoing), () -> {
            release(outgoing.held());
            if (traffic == Traffic.DATAGRAM) {
                ends.counters().droppedByWan.increment();
            }
        });
    }

    private boolean reserve(int bytes) {
        int held = bytes + Outgoing.OVERHEAD_BYTES;
        if (!queued.take(held)) {
            return false;
        }
        if (!ends.outgoing().take(held)) {
            queued.giveBack(held);
            return false;
        }
        return true;
    }

    private void release(int held) {
        queued.giveBack(held);
        ends.outgoing().giveBack(held);
    }

    private void enqueue(Outgoing outgoing) {
        outbox.add(outgoing);
        if (draining.compareAndSet(false, true)) {
            try {
                loop.execute(Fatal.told(this::drain));
            } catch (RejectedExecutionException e) {
                // First, so that nobody leaves something behind in the belief that it is taken from here.
                draining.set(false);
                for (Outgoing left = outbox.poll(); left != null; left = outbox.poll()) {
                    drop(left);
                }
            }
        }
    }

    private void drain() {
        // First, so that who adds from now on wakes the loop again.
        draining.set(false);
        if (state == State.IDLE) {
            connect();
        }
        if (state == State.CONNECTING) {
            return;
        }
        OutgoingConnection ready = state == State.READY ? connector : null;
        for (Outgoing next = outbox.poll(); next != null; next = outbox.poll()) {
            Outgoing outgoing = next;
            if (ready == null || !outgoing.versions.includes(ready.version())) {
                drop(outgoing);
            } else if (outgoing.type == FrameType.CALL && !isToBeSent(outgoing)) {
                release(outgoing.held());
            } else {
                if (outgoing.type != FrameType.CALL) {
                    ends.counters().sent.increment();
                    sentMessages.increment();
                    sentBytes.add(outgoing.content.length + FrameSeal.OVERHEAD_BYTES);
                }
                int held = outgoing.held(); // and not the bytes themselves, which are the connection's from here on
                ready.send(outgoing.type, outgoing.content, () -> release(held));
            }
        }
        if (ready != null) {
            ready.flush();
        }
    }

    private void drop(Outgoing outgoing) {
        release(outgoing.held());
        if (outgoing.type != FrameType.CALL) {
            ends.counters().droppedUnreachable.increment();
            return;
        }
        failed(numberOf(outgoing), "node " + peer + " cannot be reached: " + trouble);
    }

    /** What its caller was told to have failed without being sent must not be sent. */
    private boolean isToBeSent(Outgoing call) {
        Pending pending = calls.get(numberOf(call));
        if (pending != null) {
            pending.sent = true;
        }
        return pending != null;
    }

    private static long numberOf(Outgoing call) {
        try {
            return new WireInput(call.content).varint();
        } catch (BadMessageException e) {
            throw new IllegalStateException("a call without its number", e);
        }
    }

    private void connect() {
        state = State.CONNECTING;
        InetSocketAddress own = ends.options().listen();
        Bootstrap bootstrap = bootstraps.apply(loop, this);
        // From the address by which peers know this node; any port.
        var connecting = own.getAddress() == null || own.getAddress().isAnyLocalAddress()
                ? bootstrap.connect(place.address())
                : bootstrap.connect(place.address(), new InetSocketAddress(own.getAddress(), 0));
        connecting.addListener(done -> {
            Throwable cause = done.cause();
            if (cause != null && state == State.CONNECTING) {
                trouble = String.valueOf(cause.getMessage());
                ends.log()
                        .warn(
                                "unreachable " + peer,
                                "Node " + peer + " cannot be reached: " + trouble + ". It is tried again.");
                backOff();
            }
        });
    }

    @Override
    public void ready(OutgoingConnection ready) {
        if (state == State.CLOSED) {
            ready.close();
            return;
        }
        LOG.info("Connected to node {} at {}, version {} of the protocol", peer, place.address(), ready.version());
        version = ready.version();
        connector = ready;
        state = State.READY;
        standing = true;
        readyNanos = System.nanoTime();
        drain();
    }

    @Override
    public void closed(OutgoingConnection was) {
        if (state == State.CLOSED || (state == State.READY && connector != was)) {
            return;
        }
        if (state == State.READY) {
            trouble = "the connection was lost";
            LOG.info("The connection to node {} was lost", peer);
            if (System.nanoTime() - readyNanos > GOOD_NANOS) {
                backoffMillis = ends.options().limits().reconnectMinMillis();
            }
        } else {
            trouble = "the handshake failed";
        }
        connector = null;
        standing = false;
        calls.keySet().forEach(call -> failed(call, "node " + peer + " cannot be reached: " + trouble));
        backOff();
    }

    private void backOff() {
        state = State.BACKING_OFF;
        drain();
        var unused = loop.schedule(
                () -> {
                    if (state == State.BACKING_OFF) {
                        connect();
                    }
                },
                backoffMillis,
                TimeUnit.MILLISECONDS);
        backoffMillis = Math.min(2 * backoffMillis, ends.options().limits().reconnectMaxMillis());
    }

    @Override
    public void answered(long call, byte[] answer) {
        Pending pending = take(call);
        if (pending != null) {
            pending.future.complete(answer);
        }
    }

    @Override
    public void failed(long call, String reason) {
        Pending pending = take(call);
        if (pending != null) {
            ends.counters().callsFailed.increment();
            pending.future.completeExceptionally(new CallFailedException(reason, pending.sent));
        }
    }

    private @Nullable Pending take(long call) {
        Pending pending = calls.remove(call);
        if (pending != null) {
            callsUnderWay.decrementAndGet();
            ScheduledFuture<?> timeout = pending.timeout;
            if (timeout != null) {
                var unused = timeout.cancel(false);
            }
        }
        return pending;
    }

    /** Any thread. Calls under way fail at once. */
    void close(String reason) {
        Runnable end = () -> {
            state = State.CLOSED;
            standing = false;
            trouble = reason;
            if (connector != null) {
                connector.close();
                connector = null;
            }
            drain();
            calls.keySet().forEach(call -> failed(call, "node " + peer + " cannot be reached: " + reason));
        };
        if (loop.inEventLoop()) {
            end.run();
        } else {
            loop.execute(end);
        }
    }
}
