/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The peers that this node has left behind: it has retired mutations that they lack. From when on they are waited for
 * again, nothing more is retired without them; one that is waited for because it asked for it itself gets a stream,
 * too, which says that something is missing before it.
 */
final class LeftBehind {
    /** @param incarnation of the peer that asked */
    private record Promise(long incarnation, long awaitedMicros) {}

    private final Set<NodeId> peers;

    /** Those that nothing waits for. A subset of the peers. */
    private final Set<NodeId> notAwaited;

    /** Those whose repair was announced here, by hand. A subset of those waited for. */
    private final Set<NodeId> announced = new HashSet<>();

    /**
     * Who has asked to be waited for, in which life, and since when it is. Also of peers that were not left behind
     * then.
     */
    private final Map<NodeId, Promise> promises = new HashMap<>();

    final Missed missed = new Missed();

    LeftBehind(Collection<NodeId> peers) {
        this.peers = new LinkedHashSet<>(peers);
        this.notAwaited = new HashSet<>(peers);
    }

    boolean contains(NodeId peer) {
        return peers.contains(peer);
    }

    boolean isNone() {
        return peers.isEmpty();
    }

    Set<NodeId> peers() {
        return new HashSet<>(peers);
    }

    /** Those that nothing waits for. */
    Set<NodeId> notAwaited() {
        return notAwaited;
    }

    /** Those whose repair was announced here and that have been waited for ever since. */
    Set<NodeId> beingRepaired() {
        return new HashSet<>(announced);
    }

    Set<NodeId> awaitedAgain() {
        Set<NodeId> awaited = new HashSet<>(peers);
        awaited.removeAll(notAwaited);
        return awaited;
    }

    /** Whether the peer gets nothing from here: it must be waited for first, on its own request. */
    boolean isTurnedAway(NodeId peer) {
        return peers.contains(peer) && (notAwaited.contains(peer) || !promises.containsKey(peer));
    }

    /** The same for this life of the peer's: another one may have lost what it was filled with. */
    boolean isTurnedAway(NodeId peer, long incarnation) {
        Promise promise = promises.get(peer);
        return isTurnedAway(peer) || (peers.contains(peer) && promise != null && promise.incarnation() != incarnation);
    }

    /** Since when a peer is waited for that was left behind and is not filled yet; 0 for all others. */
    long behindMicros(NodeId peer) {
        Promise promise = promises.get(peer);
        return !peers.contains(peer) || promise == null ? 0 : promise.awaitedMicros();
    }

    /** Returns whether it was in step, or about to come back: from now on it gets nothing from here. */
    boolean add(NodeId peer) {
        notAwaited.add(peer);
        announced.remove(peer);
        boolean promised = promises.remove(peer) != null;
        return peers.add(peer) || promised;
    }

    /** Returns whether it was not waited for before. */
    boolean await(NodeId peer) {
        return notAwaited.remove(peer);
    }

    /** Somebody is about to repair the peer, which is waited for already. */
    void announce(NodeId peer) {
        if (peers.contains(peer)) {
            announced.add(peer);
        }
    }

    /** The moment since which nothing is retired without the peer; it is waited for already. */
    long promise(NodeId peer, long incarnation, long nowMicros) {
        Promise promise = promises.get(peer);
        if (promise == null || promise.incarnation() != incarnation) {
            promise = new Promise(incarnation, nowMicros);
            promises.put(peer, promise);
        }
        return promise.awaitedMicros();
    }

    /** Whether the peer, in this life of its, has been waited for ever since that moment. */
    boolean hasPromised(NodeId peer, long incarnation, long awaitedMicros) {
        return new Promise(incarnation, awaitedMicros).equals(promises.get(peer));
    }

    void remove(NodeId peer) {
        peers.remove(peer);
        notAwaited.remove(peer);
        announced.remove(peer);
        missed.end(peer);
    }
}
