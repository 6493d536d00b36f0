/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * A mutation of one partition, with its content: a {@code PartitionUpdate} in Cassandra, a few cells in the simulator.
 * Immutable. The protocol looks only at what these methods tell; stores and codecs look inside.
 */
public interface Update {
    /** Stands for "more than one row, or not known" wherever a row's hash is asked for. */
    long ANY_ROW = 0;

    PartitionKey key();

    MutationId id();

    /** The smallest write timestamp in the mutation, in microseconds; equal to the id's for an ordinary write. */
    long oldestTimestampMicros();

    /**
     * A hash of <em>which</em> cells are written, and whether as values or as deletions of a row, range or partition,
     * but not of their values. Two mutations of one shape write the same cells, so the later one dominates.
     */
    long shape();

    /** A hash of the clustering where exactly one row is written, else {@link #ANY_ROW}. */
    long row();

    /** The memory that this mutation takes, roughly, in bytes; the records around it are counted apart. */
    int sizeBytes();
}
