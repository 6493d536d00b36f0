/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Names a mutation within its partition.
 *
 * <p>Two coordinators may choose the same timestamp, so the timestamp alone is no name. The digest of what is written
 * tells such mutations apart; two mutations with the same timestamp and the same content are one and the same to every
 * reader, and so they are here (docs/decisions/clocks-and-stamps.md, "A mutation is named by its timestamp and its
 * content").
 *
 * @param timestampMicros the largest write timestamp in the mutation, in microseconds since 1970
 * @param digest a hash of everything that the mutation writes, equal on all replicas
 */
public record MutationId(long timestampMicros, long digest) implements Comparable<MutationId> {
    // By hand: the generated ones are slower until they are inlined, and whole records of mutations are searched.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof MutationId that
                        && timestampMicros == that.timestampMicros
                        && digest == that.digest);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * timestampMicros + digest);
    }

    @Override
    public int compareTo(MutationId other) {
        int byTimestamp = Long.compare(timestampMicros, other.timestampMicros);
        return byTimestamp != 0 ? byTimestamp : Long.compare(digest, other.digest);
    }
}
