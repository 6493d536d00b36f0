/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * The coordinator answered a statement on Cassandra's own path, without a MeteorShower token, though the session asked
 * for {@linkplain MeteorShowerSessionBuilder#requireServed order on every statement}. The plugin is missing on that
 * coordinator, the table is not enabled, or the consistency level is one that keeps Cassandra's meaning (ONE, LOCAL_*,
 * SERIAL).
 */
public final class NotServedException extends RuntimeException {

    public NotServedException(String message) {
        super(message);
    }
}
