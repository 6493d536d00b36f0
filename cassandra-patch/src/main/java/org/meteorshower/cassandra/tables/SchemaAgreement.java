/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.service.StorageProxy;

/**
 * Waits until the nodes that are up have the same schema. Drivers do that after a change of the schema; of one that
 * came by a write into a virtual table they do not know. Stateless.
 */
final class SchemaAgreement {
    /** Less than drivers wait for an answer. */
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private SchemaAgreement() {}

    /** Not for longer than a client would wait: who has not heard by then will, as after any change. Blocks. */
    static void await() {
        long endNanos = System.nanoTime() + LIMIT_NANOS;
        while (!isReached() && System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    private static boolean isReached() {
        Set<String> versions =
                new HashSet<>(StorageProxy.describeSchemaVersions(false).keySet());
        versions.remove(StorageProxy.UNREACHABLE);
        return versions.size() <= 1;
    }
}
