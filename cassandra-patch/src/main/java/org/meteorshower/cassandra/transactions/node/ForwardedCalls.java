/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.meteorshower.runtime.Transport.CallFailedException;

/**
 * Clients' requests on their way to the node that runs this data centre's process. When another one does, those that
 * are with the last one are not waited for any longer: it may stand still. The transport bounds how many there are.
 * Thread-safe.
 */
final class ForwardedCalls {
    private record UnderWay(long life, CompletableFuture<byte[]> answer) {}

    private final Post post;
    private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

    ForwardedCalls(Post post) {
        this.post = post;
    }

    /** Fails with {@link CallFailedException}, which says whether the other node may have acted on it. */
    CompletableFuture<byte[]> call(Representatives.Heard to, byte[] request, Duration timeout) {
        UnderWay call = new UnderWay(to.life(), new CompletableFuture<>());
        underWay.add(call);
        var unused = post.call(to.node(), request, timeout).whenComplete((answer, failure) -> {
            underWay.remove(call);
            if (failure == null) {
                call.answer.complete(answer);
            } else {
                call.answer.completeExceptionally(failure);
            }
        });
        return call.answer;
    }

    /** The process of this life runs: all others have ended, or will when they notice. */
    void superseded(long life) {
        underWay.removeIf(call -> {
            boolean superseded = call.life < life;
            if (superseded) {
                call.answer.completeExceptionally(new CallFailedException("another node has taken its place"));
            }
            return superseded;
        });
    }
}
