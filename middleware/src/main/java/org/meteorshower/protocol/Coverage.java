/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * The cuts at which a node knows, without a gap, everything that some replica had applied: an interval of hybrid clock
 * values, both ends included; empty at first.
 */
record Coverage(long oldestMicros, long newestMicros) {
    static final Coverage NONE = new Coverage(Long.MAX_VALUE, Long.MIN_VALUE);

    boolean contains(long micros) {
        return oldestMicros <= micros && micros <= newestMicros;
    }

    /** Grown to this end; begun there, if it was empty. */
    Coverage upTo(long micros) {
        if (isEmpty()) {
            return new Coverage(micros, micros);
        }
        return micros > newestMicros ? new Coverage(oldestMicros, micros) : this;
    }

    boolean isEmpty() {
        return oldestMicros > newestMicros;
    }
}
