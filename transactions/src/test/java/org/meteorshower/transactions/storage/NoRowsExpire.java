/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.OptionalLong;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Turn;

/** For tests in which nothing ends. */
public final class NoRowsExpire {
    private NoRowsExpire() {}

    public static ExpiringRows in(Turn turn, RowMemory memory) {
        return new ExpiringRows(turn, OptionalLong::empty, () -> 1, memory, new ExpiringRows.Proposer() {
            @Override
            public void propose(Request.ExpireRows request) {
                throw new AssertionError(request);
            }

            @Override
            public boolean holds(Request.ExpireRows request) {
                return false;
            }
        });
    }
}
