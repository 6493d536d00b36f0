/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been opened and is to be closed again: the last first, and each whatever becomes of the others. Used by one
 * thread at a time.
 */
final class OpenParts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenParts.class);

    private final ArrayDeque<AutoCloseable> open = new ArrayDeque<>();

    /** @return the same part */
    <C extends AutoCloseable> C add(C part) {
        open.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                log.warn("MeteorShower: a part did not close", e);
            }
        }
    }
}
