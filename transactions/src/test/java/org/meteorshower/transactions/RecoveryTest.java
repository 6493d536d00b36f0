/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;

class RecoveryTest {
    @Test
    void aSingleDataCentreExecutesWhatItsDiskHolds() {
        long ballot = Ballot.of(1, 1, 0);
        AcceptorState state =
                new AcceptorState(ballot, 0, List.of(new AcceptedEntry(0, ballot, new Entry(5, ballot, List.of()))));
        List<Observer.Executed> executed = new ArrayList<>();
        Catenae core = new Catenae(
                new Members(0, 1),
                Settings.DEFAULT,
                new Recovery(
                        2,
                        1,
                        List.of(1),
                        Map.of(),
                        List.of(state),
                        List.of(List.of()),
                        List.of(0L),
                        Checkpoint.first(1),
                        1,
                        1,
                        null,
                        0),
                row -> row.hashCode(),
                new Observer() {
                    @Override
                    public void executed(Executed entry) {
                        executed.add(entry);
                    }

                    @Override
                    public void jumped(Checkpoint to) {}
                });

        core.step(new Event.Tick(), new Now(1_000_000, 1_000_000));

        assertThat(executed).hasSize(1);
    }
}
