/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.Collection;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/** Holds nothing, covers no history, and forgets what it is to apply. */
final class EmptyStore implements Store {
    @Override
    public History historyFor(Update update) {
        return new History() {
            @Override
            public boolean covers(Update each) {
                return false;
            }

            @Override
            public boolean coversRow(long row) {
                return false;
            }

            @Override
            public long sizeBytes() {
                return 0;
            }

            @Override
            public History extendedBy(History later) {
                return this;
            }

            @Override
            public History absorbing(Update retired, Collection<Update> remaining) {
                return this;
            }
        };
    }

    @Override
    public void apply(Update update) {}
}
