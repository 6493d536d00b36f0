/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.UUID;
import java.util.function.Predicate;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.cassandra.store.Coordinators;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.NodeId;

/** Notes, for every client's write that arrives from another node, which coordinator waits for it. Lets all pass. */
final class ArrivingWrites implements Predicate<Message<?>> {
    private final EnabledTables enabled;
    private final Coordinators coordinators;

    ArrivingWrites(EnabledTables enabled, Coordinators coordinators) {
        this.enabled = enabled;
        this.coordinators = coordinators;
    }

    @Override
    public boolean test(Message<?> message) {
        if (!enabled.none() && message.verb() == Verb.MUTATION_REQ && message.payload instanceof Mutation mutation) {
            note(mutation, message);
        }
        return true;
    }

    private void note(Mutation mutation, Message<?> message) {
        InetAddressAndPort coordinator = message.respondTo();
        for (TableId table : mutation.getTableIds()) {
            if (enabled.of(table) != null) {
                UUID hostId = StorageService.instance.getTokenMetadata().getHostId(coordinator);
                if (hostId != null) {
                    // The answer is part of the trace where there is one.
                    long request = message.traceSession() == null ? message.id() : 0;
                    coordinators.arrived(
                            mutation,
                            new Coordinators.Waiting(
                                    new NodeId(hostId), coordinator, request, message.expiresAtNanos()));
                }
                return;
            }
        }
    }
}
