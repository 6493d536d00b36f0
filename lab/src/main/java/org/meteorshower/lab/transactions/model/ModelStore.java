/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.TransactionClient;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionStore;

/** Rows of a model, each with a home in one of the data centres in turn. */
public final class ModelStore implements TransactionStore {
    /** What keeps transactions apart. */
    public enum Control {
        /** Strict two-phase locking. */
        LOCKING,
        /** Optimistic validation. */
        OPTIMISTIC
    }

    private final Control control;
    private final List<String> dcs;
    private final List<Site> sites;
    private final ModelNetwork network;

    /** @param wanFile with the distances, followed */
    public ModelStore(Control control, List<String> dcs, Path wanFile) {
        this.control = control;
        this.dcs = List.copyOf(dcs);
        sites = dcs.stream().map(Site::new).toList();
        network = new ModelNetwork(wanFile);
    }

    @Override
    public void create() {}

    @Override
    public void load(int firstRow, int rows) {
        List<Account> loaded = new ArrayList<>();
        for (int row = firstRow; row < firstRow + rows; row++) {
            loaded.add(new Account(row, BALANCE, 0, NOBODY));
        }
        network.on(() -> {
                    for (Site site : sites) {
                        site.commit(loaded);
                        site.hear(loaded);
                    }
                    return loaded;
                })
                .join();
    }

    @Override
    public TransactionClient client(String dc) {
        return request -> {
            CompletableFuture<TransactionOutcome> outcome = new CompletableFuture<>();
            Attempt attempt = control == Control.LOCKING
                    ? new LockingAttempt(this, dc, request, outcome)
                    : new OptimisticAttempt(this, dc, request, outcome);
            network.send(dc, dc, attempt::begin);
            return outcome;
        };
    }

    @Override
    public List<Account> audit(String dc, int firstRow, int rows) {
        network.awaitQuiet();
        return network.on(() -> IntStream.range(firstRow, firstRow + rows)
                        .mapToObj(row -> home(row).row(row))
                        .toList())
                .join();
    }

    ModelNetwork network() {
        return network;
    }

    List<String> dcs() {
        return dcs;
    }

    List<Site> sites() {
        return sites;
    }

    Site home(int row) {
        return sites.get(row % sites.size());
    }

    Site site(String dc) {
        return sites.get(dcs.indexOf(dc));
    }

    @Override
    public void close() {
        network.close();
    }
}
