/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.MonotonicClock;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Answers;

/**
 * Cassandra's answers to mutations that the protocol's status messages carry: a node that has applied one says so to
 * its coordinator anyway. Here it keeps the answer itself from leaving, and gives the coordinator what has come in its
 * place. Thread-safe.
 */
public final class CarriedAnswers implements Answers, BiPredicate<Message<?>, InetAddressAndPort> {
    /** What this thread has handed over, whose answer Cassandra is about to send: at most one, the last. */
    private static final ThreadLocal<Coordinators.@Nullable Waiting> HANDED_OVER = new ThreadLocal<>();

    private final long incarnation;
    private final Predicate<NodeId> carries;

    /**
     * @param incarnation of this node
     * @param carries whether status messages to a node bring it what they carry, as far as is known
     */
    public CarriedAnswers(long incarnation, Predicate<NodeId> carries) {
        this.incarnation = incarnation;
        this.carries = carries;
    }

    /**
     * Of a mutation that this thread has just applied in whole. Cassandra answers on the same thread; if it does not,
     * the answer is given twice, and counts once.
     *
     * @return what the protocol is to carry, or {@link Event.Acknowledging#NO_RECEIPT}
     */
    long handOver(Coordinators.Waiting waiting) {
        if (waiting.request() == Event.Acknowledging.NO_RECEIPT
                || waiting.expiresNanos() - MonotonicClock.Global.approxTime.now() <= 0
                || !carries.test(waiting.coordinator())) {
            return Event.Acknowledging.NO_RECEIPT;
        }
        HANDED_OVER.set(waiting);
        return waiting.request();
    }

    /** Another mutation begins on this thread. */
    void forget() {
        HANDED_OVER.remove();
    }

    /** Whether the message is to leave. */
    @Override
    public boolean test(Message<?> message, InetAddressAndPort to) {
        if (message.verb() != Verb.MUTATION_RSP) {
            return true;
        }
        Coordinators.Waiting waiting = HANDED_OVER.get();
        if (waiting == null
                || waiting.request() != message.id()
                || !waiting.address().equals(to)) {
            return true;
        }
        HANDED_OVER.remove();
        return false;
    }

    @Override
    public void arrived(NodeId from, long forIncarnation, List<Long> receipts) {
        InetAddressAndPort address = forIncarnation == incarnation ? addressOf(from) : null;
        if (address != null) {
            Message<NoPayload> answer = Message.synthetic(address, Verb.MUTATION_RSP, NoPayload.noPayload);
            for (long request : receipts) {
                MessagingService.instance().callbacks.removeAndRespond(request, address, answer);
            }
        }
    }

    /**
     * Where this comes on the thread that handed it over, before Cassandra's answer, that leaves and this one stays:
     * one of the two does either way.
     */
    @Override
    public void returned(NodeId coordinator, long receipt) {
        InetAddressAndPort address = addressOf(coordinator);
        if (address != null) {
            long now = MonotonicClock.Global.approxTime.now();
            Message<NoPayload> answer = Message.builder(Verb.MUTATION_RSP, NoPayload.noPayload)
                    .from(FBUtilities.getBroadcastAddressAndPort())
                    .withId(receipt)
                    .withCreatedAt(now)
                    .withExpiresAt(Verb.MUTATION_RSP.expiresAtNanos(now))
                    .build();
            MessagingService.instance().send(answer, address);
        }
    }

    private static @Nullable InetAddressAndPort addressOf(NodeId node) {
        return StorageService.instance.getTokenMetadata().getEndpointForHostId(node.value());
    }
}
