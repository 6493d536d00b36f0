/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Audit;
import org.meteorshower.lab.tpcc.Key;
import org.meteorshower.lab.tpcc.Population;
import org.meteorshower.lab.tpcc.Row;
import org.meteorshower.lab.tpcc.TpccClient;
import org.meteorshower.lab.tpcc.TpccStore;
import org.meteorshower.lab.tpcc.Unit;
import org.meteorshower.lab.tpcc.UnknownNameException;
import org.meteorshower.lab.transactions.model.ModelNetwork;
import org.meteorshower.lab.transactions.model.ModelStore;

/** TPC-C in a model, each row with a home in one of the data centres. */
public final class TpccModel implements TpccStore {
    private final ModelStore.Control control;
    private final List<String> dcs;
    private final boolean near;
    private final List<Site> sites;
    private final ModelNetwork network;
    private Homes homes;
    private int transactions;

    /**
     * @param near whether a warehouse's rows live where its terminals are; else partitions are dealt out
     * @param wanFile with the distances, followed
     */
    public TpccModel(ModelStore.Control control, List<String> dcs, boolean near, Path wanFile) {
        this.control = control;
        this.dcs = List.copyOf(dcs);
        this.near = near;
        sites = dcs.stream().map(Site::new).toList();
        network = new ModelNetwork(wanFile);
        homes = new Homes(dcs.size(), near, 1);
    }

    @Override
    public void create(Population population) {
        network.on(() -> {
                    homes = new Homes(dcs.size(), near, population.scale().warehousesPerDc());
                    population.each((key, row) -> {
                        Versioned first = new Versioned(row, 1);
                        if (!key.kind().isConstant()) {
                            home(key).commit(key, first);
                        }
                        sites.forEach(site -> site.hear(key, first));
                    });
                    return true;
                })
                .join();
    }

    @Override
    public TpccClient client(String dc) {
        return new TpccClient() {
            @Override
            public CompletionStage<List<Integer>> named(int warehouse, int district, int name) {
                return network.on(() -> {
                    if (site(dc).copy(Key.names(warehouse, district, name)).row() instanceof Row.Names names) {
                        return names.customers();
                    }
                    throw new UnknownNameException("nobody has this name");
                });
            }

            @Override
            public CompletionStage<Answer> run(Unit unit) {
                CompletableFuture<Answer> answer = new CompletableFuture<>();
                network.send(dc, dc, () -> begin(dc, unit, answer));
                return answer;
            }
        };
    }

    private void begin(String dc, Unit unit, CompletableFuture<Answer> answer) {
        transactions++;
        Attempt attempt = control == ModelStore.Control.LOCKING
                ? new LockingAttempt(this, dc, unit, "t" + transactions, answer)
                : new OptimisticAttempt(this, dc, unit, "t" + transactions, answer);
        attempt.begin();
    }

    @Override
    public Audit audit() {
        return Audit.of(rows());
    }

    private Map<Key, Row> rows() {
        network.awaitQuiet();
        return network.on(() -> {
                    Map<Key, Row> all = new HashMap<>();
                    sites.forEach(site -> site.tell(all));
                    return all;
                })
                .join();
    }

    /** Whether copies are kept up to date: who locks does not read them. */
    boolean hasCopies() {
        return control == ModelStore.Control.OPTIMISTIC;
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

    Site home(Key key) {
        return sites.get(homes.of(key));
    }

    Site site(String dc) {
        return sites.get(dcs.indexOf(dc));
    }

    @Override
    public void close() {
        network.close();
    }
}
