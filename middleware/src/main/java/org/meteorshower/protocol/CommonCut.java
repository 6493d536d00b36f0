/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Looks for the newest cut at which several nodes can answer that share a scan. Each has told the newest one of its
 * own. The oldest of these is proposed to the others; where one of them cannot answer at it, it tells its next older
 * one, and that is proposed. Used by one thread at a time.
 *
 * @param <N> what tells the nodes apart
 */
public final class CommonCut<N> {
    /** Each asks all others once. */
    private static final int MOST_ROUNDS = 8;

    private final Map<N, Long> newest;
    private final long newestOfAll;
    private boolean hopeless;
    private int rounds;

    /** @param own the cut that each node gave itself; not empty */
    public CommonCut(Map<N, Long> own) {
        this.newest = new LinkedHashMap<>(own);
        this.newestOfAll = Collections.max(own.values());
    }

    /** No newer cut is asked for. */
    public long mostMicros() {
        return Collections.min(newest.values());
    }

    /** Who is to be asked now for the newest cut up to that; nobody where the search is over. */
    public Set<N> toAsk() {
        if (hopeless || rounds++ == MOST_ROUNDS) {
            return Set.of();
        }
        long most = mostMicros();
        Set<N> ask = new LinkedHashSet<>();
        newest.forEach((node, micros) -> {
            if (micros > most) {
                ask.add(node);
            }
        });
        return ask;
    }

    /** @param newestMicros {@link Long#MIN_VALUE} for none, as in {@link Effect.ScanLowered} */
    public void answered(N node, long newestMicros) {
        hopeless |= newestMicros == Long.MIN_VALUE;
        newest.put(node, newestMicros);
    }

    /** The cut at which all can answer, if one was found. */
    public OptionalLong found() {
        long most = mostMicros();
        return !hopeless && newest.values().stream().allMatch(micros -> micros == most)
                ? OptionalLong.of(most)
                : OptionalLong.empty();
    }

    /** All keep this one, too; but some may have to wait for it, and for writes to be decided. */
    public long newestOfAll() {
        return newestOfAll;
    }
}
