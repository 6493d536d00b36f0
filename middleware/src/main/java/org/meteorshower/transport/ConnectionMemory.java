/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Of what connections read into and write from, outside of the heap. In pieces of one megabyte, as many as are needed:
 * Netty's own allocator takes four at a time for each of twice as many arenas as there are processors, which a small
 * node beside Cassandra's buffers has no room for.
 */
final class ConnectionMemory {
    private static final int PAGE_BYTES = 8_192;

    /** A piece is a page doubled so many times. */
    private static final int DOUBLED = 7;

    private ConnectionMemory() {}

    /** @param threads that read and write */
    static ByteBufAllocator of(int threads) {
        return new PooledByteBufAllocator(
                true,
                1,
                threads,
                PAGE_BYTES,
                DOUBLED,
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                PooledByteBufAllocator.defaultUseCacheForAllThreads());
    }
}
