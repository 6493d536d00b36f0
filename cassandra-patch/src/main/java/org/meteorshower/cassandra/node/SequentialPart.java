/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.cql.BatchInternals;
import org.meteorshower.cassandra.cql.ReadHandler;
import org.meteorshower.cassandra.cql.ServedTables;
import org.meteorshower.cassandra.cql.SessionTokens;
import org.meteorshower.cassandra.cql.WriteHandler;
import org.meteorshower.cassandra.net.ForwardedReads;
import org.meteorshower.cassandra.net.ForwardedScans;
import org.meteorshower.cassandra.net.TicketsForOthers;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.cassandra.read.Lacking;
import org.meteorshower.cassandra.read.SelectInternals;
import org.meteorshower.cassandra.read.SelectRunner;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.runtime.MeteorShower;

/**
 * Reads and writes of enabled tables: clients' at this node, reads that other nodes forward, and the check of what is
 * answered. Thread-safe.
 */
final class SequentialPart implements AutoCloseable {
    final OnlineCheck check;
    final Lacking lacking;
    private final LeaseHolders holders;
    final ForwardedReads forwarded;
    final ForwardedScans forwardedScans;
    final TicketsForOthers tickets;
    final ServedTables served;
    final ReadHandler reads;
    final WriteHandler writes;
    final WaysLook ways;

    private final MeteorShower meteorShower;
    private final OpenParts open = new OpenParts();

    /** What of Cassandra's is private and needed; found before anything is opened. */
    record Internals(SelectInternals select, BatchInternals batches, HintInternals hints) {
        /** @throws IllegalStateException if this release of Cassandra has it not */
        Internals() {
            this(new SelectInternals(), new BatchInternals(), new HintInternals());
        }
    }

    SequentialPart(
            Foundation ground, ProtocolPart protocol, TablesPart tables, TokenFormat tokens, Internals internals) {
        EnabledTables enabled = tables.enabled;
        meteorShower = protocol.meteorShower;
        check = open.add(CheckOpening.make(ground, protocol, enabled));
        holders = LeaseHolders.ofThisRing(enabled);
        lacking = new Lacking(ground.self, enabled, protocol.placement, protocol.meteorShower, holders);
        Ways toOthers = new Ways();
        ways = new WaysLook(toOthers, protocol.meteorShower);
        ReadsOpening.Opened read = ReadsOpening.make(ground, protocol, tables, check, lacking, holders, toOthers);
        forwarded = open.add(read.forwarded());
        forwardedScans = open.add(read.forwardedScans());
        served = new ServedTables(
                enabled,
                OwnPlace.ofThisNode(),
                new SessionTokens(tokens, tables.coordinatorToken),
                ground.metrics.tables(),
                ground.metrics.refusals());
        reads = new ReadHandler(served, new SelectRunner(internals.select()), read.partitions(), read.scans());
        WritesOpening.Opened begun =
                WritesOpening.make(ground, protocol, served, internals.batches(), toOthers, holders);
        writes = begun.clients();
        tickets = open.add(begun.others());
        ArrivingHints.install(ground.self, internals.hints(), enabled, protocol, lacking);
    }

    /** To be called every second or so. */
    void look() {
        lacking.look();
        holders.silent(meteorShower.inspect(CoreView::silentPeers));
        ways.look();
        tickets.look();
        forwardedScans.look();
    }

    @Override
    public void close() {
        open.close();
    }
}
