/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.LocatedFetch;
import org.meteorshower.cassandra.read.LocatedRead;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.cassandra.ways.HedgeBudget;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;

/**
 * Lets a live replica serve a read: the one with the shortest way ({@link Ways}), and the next one where that cannot,
 * or is late. The ways to the others are measured meanwhile. Thread-safe.
 */
public final class ForwardedFetch implements LocatedFetch {
    private final NodeId self;
    private final Transport transport;
    private final Ways ways;
    private final HedgeBudget budget = new HedgeBudget();
    private final LeaseHolders holders;
    private final LongConsumer observed;

    /** @param observed hears the cut of each answer before it is passed on */
    public ForwardedFetch(NodeId self, Transport transport, Ways ways, LeaseHolders holders, LongConsumer observed) {
        this.self = self;
        this.transport = transport;
        this.ways = ways;
        this.holders = holders;
        this.observed = observed;
    }

    private Collection<NodeId> candidates(LocatedRead read, ReadTerms terms) {
        List<NodeId> members = read.group().members();
        if (!read.isByLease(terms.mode())) {
            return members;
        }
        List<NodeId> others = new ArrayList<>(members);
        others.remove(self);
        Collection<NodeId> first = holders.among(read.key().table(), others);
        return first.isEmpty() ? others : first;
    }

    @Override
    public FetchedPartition fetch(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        Ways.Choice choice = ways.choose(LiveReplicas.of(candidates(read, terms), self), System.nanoTime());
        choice.probes().forEach(way -> Probe.send(transport, way));
        budget.earn();
        FetchedPartition fetched = new ForwardedRead(transport, budget, read.command(), terms, choice.order()).fetch();
        observed.accept(fetched.info().cutMicros());
        return fetched;
    }
}
