/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.RowWrite;

/** What a range's server wants done. */
public sealed interface ServerEffect {
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /** Does something with each kind. No method has a default. */
    interface Handler {
        void on(Send send);

        void on(Read read);

        void on(ReadKeys read);

        void on(Write write);
    }

    /** To whoever is believed to serve the range, or to be the sequencer. May be lost. */
    record Send(int range, ChainMessage message) implements ServerEffect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The newest versions below this one are wanted. To be answered by {@link RangeServer#rowsRead}, together or apart.
     *
     * @param request given back with them
     */
    record Read(long request, long below, SortedSet<RowKey> rows) implements ServerEffect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Keys of rows in a range are wanted, in its order, then K as it is noted after that. Told must be all of which the
     * tables have any version, and all that users had before any transaction wrote them; whatever else is told does not
     * matter. To be answered by {@link RangeServer#keysRead}.
     *
     * @param request given back with them
     * @param after where the earlier page ended; null for the beginning
     * @param most so many keys, or some more; or fewer, but not none while there are more
     */
    record ReadKeys(long request, Range range, @Nullable RowKey after, int most) implements ServerEffect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * To be written durably, and then answered by {@link RangeServer#rowsWritten}.
     *
     * <p>The key of a row that {@linkplain RowWrite#isNew may be new} is written before the row.
     *
     * @param asOf the count as of which they are; what is noted of their {@linkplain RowWrite#due ends} carries it, and
     *     goes only where K has passed it
     */
    record Write(long request, long asOf, List<RowWrite> rows) implements ServerEffect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }
}
