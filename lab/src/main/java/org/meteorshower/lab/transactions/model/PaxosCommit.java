/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Paxos commit where nothing fails (Gray and Lamport): each home of the transaction's rows that is prepared has every
 * data centre's acceptor vote for that, the acceptors tell the coordinator, and with a majority's votes for each home
 * it is committed. One more message delay than two-phase commit to one disk, and no data centre's death blocks it. On
 * the model's thread.
 */
public final class PaxosCommit {
    private final ModelNetwork network;
    private final List<String> dcs;
    private final String coordinator;
    private final Map<String, Integer> votes = new HashMap<>();
    private final List<String> homes;
    private final Runnable committed;
    private boolean done;

    /** @param committed called once, at the coordinator */
    public PaxosCommit(
            ModelNetwork network, List<String> dcs, String coordinator, List<String> homes, Runnable committed) {
        this.network = network;
        this.dcs = dcs;
        this.coordinator = coordinator;
        this.homes = new ArrayList<>(homes);
        this.committed = committed;
    }

    /** A home is prepared; called there. */
    public void prepared(String home) {
        for (String acceptor : dcs) {
            network.send(home, acceptor, () -> network.send(acceptor, coordinator, () -> voted(home)));
        }
    }

    private void voted(String home) {
        votes.merge(home, 1, Integer::sum);
        int majority = dcs.size() / 2 + 1;
        if (!done && homes.stream().allMatch(each -> votes.getOrDefault(each, 0) >= majority)) {
            done = true;
            committed.run();
        }
    }
}
