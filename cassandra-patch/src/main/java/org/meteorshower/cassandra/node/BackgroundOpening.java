/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.meteorshower.cassandra.background.Background;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.PulledTables;
import org.meteorshower.cassandra.tables.TableRepairs;

/** The repairs that this node runs by itself, on a thread of their own. */
final class BackgroundOpening {
    private BackgroundOpening() {}

    /**
     * From now on this node fills itself where it was left behind, when the core says so, and answers those that share
     * the repair of a table with it.
     */
    static TableRepairs make(
            Foundation ground, ProtocolPart protocol, EnabledTables enabled, PlacementKeeper keeper, OpenParts open) {
        ExecutorService thread = Executors.newSingleThreadExecutor(new NamedThreadFactory("MeteorShower-Repair"));
        open.add(thread::shutdownNow);
        Background background = new Background(ground.config.background(), thread);
        protocol.meteorShower.fillWith(new PulledTables(enabled, protocol.meteorShower, background, protocol.missed));
        TableRepairs repairs = new TableRepairs(
                ground.self, keeper, protocol.placement, protocol.meteorShower, background, protocol.repairs);
        protocol.repairs.answerBy(repairs::asked);
        return repairs;
    }
}
