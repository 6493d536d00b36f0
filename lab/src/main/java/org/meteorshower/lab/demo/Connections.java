/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.load.DataCentres;

/** The demo's connections to each data centre, and the statements prepared there. Thread-safe once prepared. */
final class Connections implements AutoCloseable {
    private final DataCentres dataCentres;
    private final Map<String, TableStatements> tables = new LinkedHashMap<>();

    /** Connects to the data centres of these nodes. */
    Connections(List<NodeSpec> nodes) {
        dataCentres = new DataCentres(nodes, DataCentres.PATIENT);
    }

    /** Prepares the statements of these modes everywhere. */
    void prepare(List<Mode> modes) {
        dcs().forEach(dc -> tables.put(dc, new TableStatements(session(dc), modes)));
    }

    DataCentres dataCentres() {
        return dataCentres;
    }

    List<String> dcs() {
        return dataCentres.names();
    }

    CqlSession session(String dc) {
        return dataCentres.session(dc);
    }

    TableStatements tables(String dc) {
        TableStatements found = tables.get(dc);
        if (found == null) {
            throw new IllegalArgumentException("nothing is prepared in data centre " + dc);
        }
        return found;
    }

    /** A session that can move to every data centre and does so when its own is down. */
    MeteorShowerSession newSession(String home) {
        return dataCentres.newSession(home);
    }

    @Override
    public void close() {
        dataCentres.close();
    }
}
