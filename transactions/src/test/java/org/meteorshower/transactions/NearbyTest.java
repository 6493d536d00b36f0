/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;

/** Data centres without any distance between them: what one sends arrives within its step. */
class NearbyTest {
    private static final long WALL = 1_700_000_000_000_000L;
    private static final int DATA_CENTRES = 3;
    private static final int MOST_EVENTS_A_MILLISECOND = 20_000;

    private record Mail(int to, Event event) {}

    private final List<Catenae> cores = new ArrayList<>();
    private final ArrayDeque<Mail> mail = new ArrayDeque<>();
    private final List<Mail> held = new ArrayList<>();
    private boolean disksStandStill;
    private int attemptsToLead;
    private long millis;

    NearbyTest() {
        for (int dc = 0; dc < DATA_CENTRES; dc++) {
            cores.add(new Catenae(
                    new Members(dc, DATA_CENTRES),
                    Settings.DEFAULT,
                    Recovery.founding(DATA_CENTRES, 1),
                    row -> row.hashCode()));
        }
    }

    /** Time passes; who is deaf neither hears nor does anything. */
    private void run(int forMillis, int deaf) {
        for (long end = millis + forMillis; millis < end; millis++) {
            for (int dc = 0; dc < DATA_CENTRES; dc++) {
                mail.add(new Mail(dc, new Event.Tick()));
            }
            int events = 0;
            for (Mail next = mail.poll(); next != null; next = mail.poll()) {
                assertThat(++events).as("events at %d ms", millis).isLessThan(MOST_EVENTS_A_MILLISECOND);
                if (next.to != deaf) {
                    step(next.to, next.event);
                }
            }
        }
    }

    private void step(int dc, Event event) {
        for (Effect effect : cores.get(dc).step(event, new Now(WALL + 1_000 * millis, 1_000_000 * millis))) {
            if (effect instanceof Effect.Send send) {
                attemptsToLead += send.message() instanceof Message.Prepare ? 1 : 0;
                mail.add(new Mail(send.to(), new Event.Received(dc, send.message())));
            } else if (effect instanceof Effect.Persist persist) {
                Mail durable = new Mail(dc, new Event.Persisted(persist.batch(), 1));
                (disksStandStill ? held : mail).add(durable);
            } else if (effect instanceof Effect.WriteRows write) {
                mail.add(new Mail(dc, new Event.RowsWritten(write.cut())));
            }
        }
    }

    @Test
    void whereNobodysEntriesBecomeDurableNoLaneIsTakenOver() {
        run(1_000, -1);
        int before = attemptsToLead;
        long decided = cores.get(0).decidedBelow(1);
        disksStandStill = true;
        run(3_000, -1);
        disksStandStill = false;
        mail.addAll(held);
        run(1_000, -1);

        assertThat(attemptsToLead).isEqualTo(before);
        assertThat(cores.get(0).decidedBelow(1)).as("it goes on").isGreaterThan(decided + 100);
    }

    /**
     * Who begins to lead closes an epoch that its lane has closed already: that lane's effective epochs are then ahead.
     */
    @Test
    void epochsAreClosedByTheClockAlsoAfterALaneWasTakenOver() {
        run(1_000, -1);
        run(1_500, 0);
        assertThat(cores.get(0).leads(0)).as("it has not heard yet").isTrue();
        assertThat(cores.get(1).leads(0) || cores.get(2).leads(0)).isTrue();
        run(3_000, -1);
        assertThat(cores.get(0).leads(0)).as("it is back").isTrue();

        long before = cores.get(1).decidedBelow(1);
        run(1_000, -1);
        assertThat(cores.get(1).decidedBelow(1) - before)
                .as("epochs of 5 ms in a second")
                .isLessThanOrEqualTo(201);
    }
}
