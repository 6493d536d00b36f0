/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.util.Collection;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/** The earlier content of a partition's only row; the benchmarks need its presence, not what is in it. */
record Kept() implements History {
    static final Kept ROW = new Kept();

    @Override
    public boolean covers(Update update) {
        return true;
    }

    @Override
    public boolean coversRow(long row) {
        return true;
    }

    @Override
    public long sizeBytes() {
        return 200;
    }

    @Override
    public History extendedBy(History later) {
        return this;
    }

    @Override
    public History absorbing(Update retired, Collection<Update> remaining) {
        return this;
    }
}
