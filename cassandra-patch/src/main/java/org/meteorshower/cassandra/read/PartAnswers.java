/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Waits for what other nodes answer of a scan, and remembers for some seconds who did not, or said that it cannot, so
 * that others are asked first. Thread-safe.
 */
final class PartAnswers {
    private static final long AVOIDED_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Calls end by themselves; this is for those that should have. */
    private static final long LONGEST_SECONDS = 60;

    private final Map<NodeId, Long> avoidedSince = new ConcurrentHashMap<>();

    /** Whether others are to be asked first. */
    boolean isAvoided(NodeId node) {
        Long since = avoidedSince.get(node);
        if (since == null) {
            return false;
        }
        boolean over = System.nanoTime() - since > AVOIDED_NANOS;
        if (over) {
            avoidedSince.remove(node, since);
        }
        return !over;
    }

    void avoid(NodeId node) {
        avoidedSince.put(node, System.nanoTime());
    }

    /**
     * Blocks until it is there.
     *
     * @throws RequestRefusedException what the node said; {@link Failure#CUT_GONE} where the scan is to begin anew,
     *     with other nodes
     */
    <T> T of(NodeId node, CompletableFuture<T> answer) throws RequestRefusedException, InterruptedException {
        try {
            return answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RequestRefusedException refused) {
                if (!isOfTheNode(refused.failure())) {
                    throw refused;
                }
                avoid(node);
                throw anew(node, "refused its part: " + refused.getMessage());
            }
            avoid(node);
            throw anew(node, "did not answer: " + e.getCause());
        } catch (TimeoutException e) {
            avoid(node);
            throw anew(node, "did not answer");
        }
    }

    /** The same of several nodes. */
    <T> Map<NodeId, T> ofAll(Map<NodeId, CompletableFuture<T>> asked)
            throws RequestRefusedException, InterruptedException {
        Map<NodeId, T> given = new LinkedHashMap<>();
        for (Map.Entry<NodeId, CompletableFuture<T>> each : asked.entrySet()) {
            given.put(each.getKey(), of(each.getKey(), each.getValue()));
        }
        return given;
    }

    private static RequestRefusedException anew(NodeId node, String why) {
        return new RequestRefusedException(Failure.CUT_GONE, "node " + node + ", which reads a part of it, " + why);
    }

    /** Another one may be able to. */
    private static boolean isOfTheNode(Failure failure) {
        return failure == Failure.NOT_READY || failure == Failure.NOT_A_REPLICA;
    }
}
