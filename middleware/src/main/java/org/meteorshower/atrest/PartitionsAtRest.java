/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.atrest;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * Where reads find a cut without taking a step of the core: in partitions at rest, that is, in which nothing is in
 * flight. Most are. Thread-safe; reads neither wait nor hold anybody up.
 *
 * <p>A read asks for an {@linkplain #offer offer}, reads the store, and asks whether the offer {@linkplain #stands
 * stands}. Where it was given none, or it does not stand, the read is one for the core
 * ({@link org.meteorshower.protocol.Event.ReadStarted}).
 *
 * <p>Why that is the core's own answer: the cut is one that the core would have given when it was made known, and it
 * was made known before the offer. Whatever the core has heard of since is told here first: a mutation before it is in
 * the store or any newer cut is given, so an offer that saw the newer cut either saw the mutation as well or does not
 * stand. What is done with is told last, after cuts that are right without it.
 */
public final class PartitionsAtRest {
    private static final int STRIPES = 1 << 12;

    /** The low bits of a stripe count what is in flight, the high ones what ever was. */
    private static final int COUNT_BITS = 24;

    private static final long COUNT = (1L << COUNT_BITS) - 1;
    private static final long ONE_MORE_EVER = 1L << COUNT_BITS;

    private final AtomicLongArray stripes = new AtomicLongArray(STRIPES);
    private volatile List<Effect.RestingCut> cuts = List.of();

    /** What was in flight when the node started is known after its first step. */
    private volatile boolean begun;

    /**
     * @param cutMicros to read at, and what the session has seen then
     * @param untilNanos by when the store is to have been read
     */
    public record Offer(PartitionKey key, long stripe, long cutMicros, long untilNanos) {}

    /** That nothing of the partition was in flight, and what ever was. */
    public record Stillness(PartitionKey key, long stripe) {}

    /** To be carried out in their place among the step's effects, and, as these, by one thread at a time. */
    public void stirred(Effect.Stirred effect) {
        stripes.addAndGet(stripeOf(effect.key()), ONE_MORE_EVER + 1);
    }

    /** As {@link #stirred}. */
    public void rested(Effect.Rested effect) {
        if (effect.contentUnknown()) {
            for (int i = 0; i < STRIPES; i++) {
                stripes.addAndGet(i, ONE_MORE_EVER);
            }
        }
        cuts = effect.cuts();
        for (PartitionKey key : effect.settled()) {
            stripes.addAndGet(stripeOf(key), -1);
        }
    }

    /** A step's effects have all been carried out. */
    public void stepped() {
        if (!begun) {
            begun = true;
        }
    }

    /** No read is given anything from now on. */
    public void close() {
        cuts = List.of();
    }

    /**
     * A cut at which the store's content is the answer to any read of the partition, if that {@link #stands} once it
     * has been read.
     *
     * @param group who holds the partition
     * @param tokenMicros what the session has seen
     * @param strict whether the read is a strict one, of a table with strict reads at home
     * @param nowNanos on the scale of the steps
     * @return null where the core must be asked
     */
    public @Nullable Offer offer(
            PartitionKey key, ReplicaGroup group, long tokenMicros, boolean strict, long nowNanos) {
        // The stripe first: see above.
        long stripe = stripes.get(stripeOf(key));
        if ((stripe & COUNT) != 0) {
            return null;
        }
        List<Effect.RestingCut> known = cuts;
        for (int i = 0; i < known.size(); i++) {
            Effect.RestingCut cut = known.get(i);
            if (cut.table().equals(key.table()) && cut.group().equals(group)) {
                long untilNanos = strict ? cut.strictUntilNanos() : Long.MAX_VALUE;
                boolean does =
                        cut.cutMicros() >= tokenMicros && nowNanos - cut.untilNanos() < 0 && nowNanos < untilNanos;
                return does ? new Offer(key, stripe, cut.cutMicros(), untilNanos) : null;
            }
        }
        return null;
    }

    /**
     * To be asked when the store has been read: whether what it said is the partition's content at the cut.
     *
     * @param nowNanos since then
     */
    public boolean stands(Offer offer, long nowNanos) {
        return stripes.get(stripeOf(offer.key())) == offer.stripe() && nowNanos < offer.untilNanos();
    }

    /** To be asked before the store is read without a cut; null where something may be in flight. */
    public @Nullable Stillness stillness(PartitionKey key) {
        if (!begun) {
            return null;
        }
        long stripe = stripes.get(stripeOf(key));
        return (stripe & COUNT) == 0 ? new Stillness(key, stripe) : null;
    }

    /** Whether nothing has been in flight since: what the store said meanwhile is the partition's content still. */
    public boolean lasts(Stillness stillness) {
        return stripes.get(stripeOf(stillness.key())) == stillness.stripe();
    }

    private static int stripeOf(PartitionKey key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (STRIPES - 1);
    }
}
