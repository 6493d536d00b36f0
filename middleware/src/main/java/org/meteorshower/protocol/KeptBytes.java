/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * What the records of all partitions take on the heap, by {@link Footprint}: each partition's state says what changes.
 * Used by the core's thread only. No figure is ever negative: what was added is taken off once.
 */
final class KeptBytes {
    private long index;
    private long data;
    private long histories;

    /** Without their content. */
    void index(long more) {
        index += more;
    }

    /** The content of mutations. */
    void data(long more) {
        data += more;
    }

    /** What rows held before what is in flight. */
    void histories(long more) {
        histories += more;
    }

    long index() {
        return index;
    }

    long data() {
        return data;
    }

    long histories() {
        return histories;
    }

    long total() {
        return index + data + histories;
    }
}
