/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Operation;

/**
 * What one session did, in its order. For one thread at a time; read when that thread is done.
 *
 * @param session its name in the history
 */
record SessionLog(String session, List<Operation> operations) {
    SessionLog(String session) {
        this(session, new ArrayList<>());
    }

    void read(String key, @Nullable String value, long startNanos, long endNanos) {
        operations.add(Operation.read(session, key, value, startNanos, endNanos));
    }

    void written(String key, String value, long startNanos, long endNanos, long version) {
        operations.add(Operation.write(session, key, value, startNanos, endNanos, version));
    }

    void failedWrite(String key, String value, long startNanos, long endNanos) {
        operations.add(Operation.failedWrite(session, key, value, startNanos, endNanos));
    }

    /** May take effect later or never. */
    void unknownWrite(String key, String value, long startNanos, long version) {
        operations.add(Operation.unknownWrite(session, key, value, startNanos, version));
    }
}
