/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashSet;
import java.util.Set;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;

/** What some mistakes make of messages and mutations; one for all nodes of a run. */
final class Mistakes {
    private final Bug bug;
    private final Set<MutationId> renewed = new HashSet<>();

    Mistakes(Bug bug) {
        this.bug = bug;
    }

    /** The mistake of giving a mutation that is sent again a timestamp of today. */
    CellUpdate settled(CellUpdate update, long nowMicros) {
        if (bug != Bug.SETTLED_AS_NEW || renewed.contains(update.id())) {
            return update;
        }
        CellUpdate changed = update.at(nowMicros);
        renewed.add(changed.id());
        return changed;
    }

    /** The mistakes of promising more than the clock says, and of not saying that something is missing. */
    Message sent(Message message) {
        if (bug == Bug.BEHIND_NOT_SAID && message instanceof Message.Snapshot honest) {
            return new Message.Snapshot(
                    honest.hlcMicros(),
                    honest.stream(),
                    honest.snapshotMicros(),
                    honest.part(),
                    honest.parts(),
                    honest.applied());
        }
        return bug == Bug.PROMISE_FORGED && message instanceof Message.StatusMessage honest && honest.msgTsMicros() > 0
                ? new Message.StatusMessage(
                        honest.hlcMicros() + 20_000,
                        honest.stream(),
                        honest.seq(),
                        honest.msgTsMicros() + 20_000,
                        honest.payload(),
                        honest.redundant(),
                        honest.acknowledgedStream(),
                        honest.acknowledgedSeq(),
                        honest.echo())
                : message;
    }
}
