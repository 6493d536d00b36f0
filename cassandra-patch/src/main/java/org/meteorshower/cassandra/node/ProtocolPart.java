/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.config.RunTimeOptions;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.net.MissedCalls;
import org.meteorshower.cassandra.net.RepairCalls;
import org.meteorshower.cassandra.net.TakingPartCalls;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CarriedAnswers;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.transport.NettyTransport;

/**
 * The protocol of the sequential reads at this node: its core, and what the core works with: who holds what, the
 * transport, the store, the options that can change. What is in it is thread-safe.
 */
final class ProtocolPart implements AutoCloseable {
    final RingPlacement placement;
    final NettyTransport transport;
    final LocalStore store;
    final MeteorShower meteorShower;
    final RunTimeOptions options;
    final CarriedAnswers answers;
    final MissedCalls missed;
    final RepairCalls repairs;
    final TakingPartCalls takingPart;

    private final OpenParts open = new OpenParts();

    /**
     * @throws org.apache.cassandra.exceptions.ConfigurationException if the transport cannot be made as the options say
     */
    ProtocolPart(Foundation ground) {
        PluginConfig config = ground.config;
        placement = PlacementKeeper.initial(ground.self, EnabledTables.declaredPlaces());
        MovedUpdates.apply(ground.journal, ground.contents, placement);
        SequentialReads core = new SequentialReads(
                ground.self,
                RecordsMemory.within(config.settings(), ground.memory),
                placement,
                JournalOpening.recovery(ground.contents, placement));
        transport = open.add(TransportOpening.make(ground));
        store = open.add(new LocalStore(ground.memory.account(MemoryUser.APPLYING)));
        meteorShower = new MeteorShower(
                core, ground.clock, ground.journal, transport, store, new LoggedAlarms(ground.metrics.set()));
        answers = new CarriedAnswers(
                ground.contents.incarnation(), node -> config.carryAnswers() && transport.carriesReceipts(node));
        meteorShower.answerWith(answers);
        RecordsMemory.register(meteorShower, ground.memory);
        missed = new MissedCalls(transport, meteorShower);
        repairs = new RepairCalls(transport);
        takingPart = new TakingPartCalls(transport);
        options = new RunTimeOptions(config, changed -> change(ground, changed));
    }

    /** What {@link RunTimeOptions} can change, but for what is asked there at each request. */
    private void change(Foundation ground, PluginConfig changed) {
        meteorShower.settingsChanged(RecordsMemory.within(changed.settings(), ground.memory));
        meteorShower.betweenSteps(
                () -> ground.files.limit((long) changed.journal().maxMegabytes() << 20)); // steps use it
    }

    @Override
    public void close() {
        open.close();
    }
}
