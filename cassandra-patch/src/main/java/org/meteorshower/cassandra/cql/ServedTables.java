/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.TableOptions;

/**
 * What the handlers of enabled tables have in common: which these are, when none may be served, whose session a request
 * belongs to, and where it is measured. Thread-safe.
 */
public final class ServedTables {
    /** Less than a write's time-out, so that the client hears why. */
    private static final long FOLLOWED_WITHIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final EnabledTables enabled;
    private final OwnPlace place;
    private final SessionTokens sessions;
    private final TableMetrics measured;
    private final Refusals refusals;

    public ServedTables(
            EnabledTables enabled, OwnPlace place, SessionTokens sessions, TableMetrics measured, Refusals refusals) {
        this.enabled = enabled;
        this.place = place;
        this.sessions = sessions;
        this.measured = measured;
        this.refusals = refusals;
    }

    EnabledTables enabled() {
        return enabled;
    }

    /** True means: whatever the request, it is for somebody else. */
    public boolean none() {
        return enabled.none();
    }

    boolean isEnabled(TableMetadata table) {
        return enabled.of(table.id) != null;
    }

    /** Null where it is not enabled. */
    @Nullable
    TableOptions optionsOf(TableMetadata table) {
        return enabled.of(table.id);
    }

    boolean isBootstrapping() {
        return place.isBootstrapping();
    }

    /** @throws InvalidRequestException if the payload's token or mode makes no sense */
    Session sessionOf(ClientRequest request) {
        return sessions.of(request);
    }

    TableMetrics measured() {
        return measured;
    }

    /** Refuses where the table, or this node, is in no state to be asked. */
    void refuseUnservable(TableMetadata table, ConsistencyLevel level) {
        String obstacle = enabled.obstacleTo(table.id);
        if (obstacle != null) {
            throw Refusal.unservable(table, obstacle);
        }
        awaitFollowed(table, level);
        refuseWhenGone(level);
    }

    /** A node that has just learned of the table, or joined, follows it within a look or two. */
    private void awaitFollowed(TableMetadata table, ConsistencyLevel level) {
        long beganNanos = System.nanoTime();
        while (enabled.idOf(table.id) == null || enabled.isBeginning(table.id)) {
            if (enabled.of(table.id) == null
                    || System.nanoTime() - beganNanos > FOLLOWED_WITHIN_NANOS
                    || Thread.currentThread().isInterrupted()) {
                throw Refusal.notFollowed(table, level);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    void refuseWhenGone(ConsistencyLevel level) {
        if (!place.isOnRing()) {
            throw Refusal.notOnRing(level);
        }
    }

    /** Remembers the failure where it is a refusal; the caller passes it on. */
    void note(String operation, TableMetadata table, RuntimeException failure) {
        refusals.note(operation, table.toString(), failure);
    }
}
