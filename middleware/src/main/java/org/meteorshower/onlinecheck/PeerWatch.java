/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.List;
import java.util.Set;
import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/** What peers announce and promise. Of their other messages nothing is to be learned. Used under the core's lock. */
final class PeerWatch implements Message.Handler<NodeId> {
    /**
     * How far timestamps may be ahead of the clock of a peer that has just begun a new life, leads and clock error
     * included.
     */
    private static final long RESTART_MARGIN_MICROS = 2_000_000;

    private final Sample sample;
    private final PromiseWatch promises = new PromiseWatch();
    private long newestHlcMicros;

    PeerWatch(Sample sample) {
        this.sample = sample;
    }

    /** The latest hybrid clock that was heard of. */
    long newestHlcMicros() {
        return newestHlcMicros;
    }

    void retain(Set<NodeId> peers) {
        promises.retain(peers);
    }

    @Override
    public void on(Message.StatusMessage status, NodeId from) {
        newestHlcMicros = Math.max(newestHlcMicros, status.hlcMicros());
        newLife(promises.isNewLife(from, status.stream()));
        boolean gapless = promises.isNext(from, status);
        Violation broken = promises.heard(from, status);
        if (broken != null) {
            sample.tell(new Observation.Broken(broken));
        }
        announced(from, status.payload());
        if (!gapless) {
            for (List<Announcement> again : status.redundant()) {
                announced(from, again);
            }
        }
    }

    @Override
    public void on(Message.Snapshot snapshot, NodeId from) {
        newestHlcMicros = Math.max(newestHlcMicros, snapshot.hlcMicros());
        newLife(promises.isNewLife(from, snapshot.stream()));
        promises.heard(from, snapshot);
        announced(from, snapshot.applied());
    }

    /**
     * One that has lost its journal, or forgot what it stamped in an epoch, may stamp again what it stamped in an
     * earlier life.
     */
    private void newLife(boolean isNew) {
        if (isNew) {
            sample.tell(new Observation.Unseen(null, newestHlcMicros + RESTART_MARGIN_MICROS));
        }
    }

    private void announced(NodeId from, List<Announcement> announcements) {
        for (int i = 0; i < announcements.size(); i++) {
            Announcement told = announcements.get(i);
            if (sample.has(told.key())) {
                sample.stamped(told.key(), told.id(), from, told.appliedMicros(), null);
            }
        }
    }

    @Override
    public void on(Message.Subscribe subscribe, NodeId from) {}

    @Override
    public void on(Message.Tables reports, NodeId from) {}

    @Override
    public void on(Message.ReRequest request, NodeId from) {}

    @Override
    public void on(Message.WriteAck ack, NodeId from) {}

    @Override
    public void on(Message.Settle settle, NodeId from) {}

    @Override
    public void on(Message.Fetch fetch, NodeId from) {}

    @Override
    public void on(Message.WhetherComplete question, NodeId from) {}

    @Override
    public void on(Message.Complete answer, NodeId from) {}

    @Override
    public void on(Message.Retired retired, NodeId from) {}

    @Override
    public void on(Message.Pull pull, NodeId from) {}

    @Override
    public void on(Message.Stale refusal, NodeId from) {}

    @Override
    public void on(Message.Returning returning, NodeId from) {}

    @Override
    public void on(Message.Awaited awaited, NodeId from) {}
}
