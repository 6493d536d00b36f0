/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.runtime.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a group of lanes has to say to operators: logged, and counted. Thread-safe. */
record GroupAlarms(LaneGroup group, TransactionMetrics measured) implements Listener {
    private static final Logger log = LoggerFactory.getLogger(GroupAlarms.class);

    /** What a node has to say besides what processes report. */
    private enum Event {
        FORMATS_APART
    }

    /** Nothing is exchanged with another process. */
    void apart(String trouble) {
        measured.reported(Event.FORMATS_APART);
        log.error("MeteorShower transactions of {}: {}", group.text(), trouble);
    }

    @Override
    public void alarm(Effect.Alarm alarm) {
        measured.reported(alarm.kind());
        switch (alarm.kind()) {
            case STOPPED, DIVERGED ->
                log.error("MeteorShower transactions of {}: alarm {}: {}", group.text(), alarm.kind(), alarm.detail());
            default -> log.info("MeteorShower transactions of {}: {}: {}", group.text(), alarm.kind(), alarm.detail());
        }
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        if (failure != null) {
            log.error(
                    "MeteorShower transactions of {}: this data centre's process failed and ends; another one is started",
                    group.text(),
                    failure);
            Fatal.report(failure);
        }
    }
}
