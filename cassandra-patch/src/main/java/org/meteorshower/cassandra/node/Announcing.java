/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.net.MessagingService;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.store.Announcer;
import org.meteorshower.cassandra.store.Coordinators;
import org.meteorshower.cassandra.store.TrackedTables;
import org.meteorshower.cassandra.tables.EnabledTables;

/** Has each mutation of tracked tables announced, whichever way it comes, and its coordinator known. */
final class Announcing {
    private Announcing() {}

    static void begin(Foundation ground, ProtocolPart protocol, EnabledTables enabled, TrackedTables tracked) {
        Coordinators coordinators = new Coordinators();
        // One that has yet to join was a replica in no epoch so far: what it takes will be in the baseline of the next
        // one.
        Hooks.listen(new Announcer(
                protocol.meteorShower,
                tracked,
                coordinators,
                protocol.answers,
                table -> enabled.of(table) != null && SystemKeyspace.bootstrapComplete(),
                ground.commitLog));
        MessagingService.instance().inboundSink.add(new ArrivingWrites(enabled, coordinators));
    }
}
