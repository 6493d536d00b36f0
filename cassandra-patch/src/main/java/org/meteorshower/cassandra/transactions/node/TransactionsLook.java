/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.views.TransactionsView;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Status;

/**
 * How the data centres do, as this node knows them. Thread-safe.
 *
 * @param ownTrouble why this node cannot run the process; null where it is not so
 */
record TransactionsLook(
        LaneGroup group,
        DataCentres dataCentres,
        Representatives representatives,
        PeerFormats formats,
        Supplier<@Nullable CoreProcess> process,
        Supplier<@Nullable String> ownTrouble) {

    List<TransactionsView.DataCentre> dataCentresNow() {
        CoreProcess here = process.get();
        Status status = here == null ? null : here.status();
        List<TransactionsView.DataCentre> all = new ArrayList<>();
        List<String> names = group.dataCentres();
        for (int number = 0; number < names.size(); number++) {
            FormatUse use = formats.of(number);
            all.add(new TransactionsView.DataCentre(
                    names.get(number),
                    group.text(),
                    representative(number),
                    use == null ? null : Integer.valueOf(use.used()),
                    use == null
                            ? null
                            : use.known().oldest() + " to " + use.known().newest(),
                    trouble(number),
                    status == null ? null : lane(status, number),
                    number == dataCentres.self() ? new TransactionsView.Own(running(status)) : null));
        }
        return all;
    }

    private @Nullable UUID representative(int number) {
        Representatives.Heard heard = representatives.of(number);
        return heard == null ? null : heard.node().value();
    }

    private @Nullable String trouble(int number) {
        String own = number == dataCentres.self() ? ownTrouble.get() : null;
        return own == null ? formats.trouble(number) : own;
    }

    private static TransactionsView.Lane lane(Status status, int number) {
        return new TransactionsView.Lane(
                status.leads().get(number),
                status.decided().get(number),
                status.checkpoint().positions().get(number));
    }

    private static TransactionsView.@Nullable Running running(@Nullable Status status) {
        return status == null
                ? null
                : new TransactionsView.Running(
                        status.checkpoint().count(),
                        Long.toHexString(status.checkpoint().digest()),
                        status.waiting(),
                        status.whole(),
                        status.persists(),
                        status.persistMicros(),
                        status.endsBehindMicros());
    }
}
