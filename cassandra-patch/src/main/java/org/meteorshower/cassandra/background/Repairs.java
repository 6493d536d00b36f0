/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.Collection;
import java.util.List;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** What repairs are made of. */
interface Repairs {
    /**
     * Repairs ranges that this node holds. Blocks until that has ended.
     *
     * @param source null: with all other replicas, which then hold the same; else data comes from that one to this
     *     node, and nothing goes the other way
     * @param ranges each within one of those that this node {@link #held holds}; none: all of them
     * @param pace asked before each step but the first
     * @return whether it has succeeded
     */
    boolean run(TableMetadata table, @Nullable InetAddressAndPort source, Collection<Range<Token>> ranges, Pace pace)
            throws InterruptedException;

    /** The ranges of the table that this node holds now. */
    List<Range<Token>> held(TableMetadata table);

    /** How much this node holds of them, in bytes, about. */
    long bytesOf(TableMetadata table, Collection<Range<Token>> ranges);
}
