/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A node's lasting name: in Cassandra its host id. Ordered, so that ties between nodes have one answer everywhere. */
public record NodeId(UUID value) implements Comparable<NodeId> {
    public static NodeId of(long number) {
        return new NodeId(new UUID(0, number));
    }

    // By hand: the generated ones are slower until they are inlined, and replicas are compared everywhere.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof NodeId that && value.equals(that.value));
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.getMostSignificantBits() == 0 ? "n" + value.getLeastSignificantBits() : value.toString();
    }
}
