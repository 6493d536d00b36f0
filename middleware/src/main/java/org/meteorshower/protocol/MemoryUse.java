/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * What a core keeps on the heap, in bytes, by estimate. The first three are held to {@link Settings#recordsBytes}; the
 * others have bounds of their own (docs/MEMORY.md).
 *
 * @param index of the mutations in flight: names and stamps
 * @param data of these, as far as it is on the heap
 * @param histories what rows held before what is in flight
 * @param remembered mutations that are done with, since late copies of them are no news
 * @param streams messages that peers may ask for again, or that came ahead of a gap
 * @param requests reads and writes under way
 */
public record MemoryUse(long index, long data, long histories, long remembered, long streams, long requests) {
    /** What {@link Settings#recordsBytes} limits. */
    public long records() {
        return index + data + histories;
    }

    public long total() {
        return records() + remembered + streams + requests;
    }
}
