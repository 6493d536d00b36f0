/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.SessionToken;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.load.DataCentres;

/** Makes the clients of one system, in each data centre. For one thread; the clients are for any. */
final class Clients {
    private final DataCentres dataCentres;
    private final SystemSpec system;
    private final Map<String, Statements> statements = new LinkedHashMap<>();

    /** Prepares the system's statements everywhere. */
    Clients(DataCentres dataCentres, String keyspace, SystemSpec system) {
        this.dataCentres = dataCentres;
        this.system = system;
        for (String dc : dataCentres.names()) {
            statements.put(dc, Statements.prepare(dataCentres.session(dc), keyspace, system));
        }
    }

    /** A new session that has seen what those have seen. */
    RowClient client(String dc, List<SessionToken> seen) {
        ReadMode mode = system.readMode();
        if (mode == null) {
            return new CassandraRowClient(of(dc), system.writeLevel());
        }
        MeteorShowerSession session = dataCentres.newSession(dc);
        seen.forEach(session::observe);
        return new MeteorShowerRowClient(of(dc), session, mode);
    }

    /** Clients that load rows: so many, in the data centres in turn. Those of plain Cassandra write to all replicas. */
    List<RowClient> loaders(int count) {
        List<RowClient> loaders = new ArrayList<>();
        List<String> dcs = dataCentres.names();
        for (int i = 0; i < count; i++) {
            String dc = dcs.get(i % dcs.size());
            loaders.add(
                    system.isServed()
                            ? client(dc, List.of())
                            : new CassandraRowClient(of(dc), DefaultConsistencyLevel.ALL));
        }
        return loaders;
    }

    /** What the sessions among these clients have seen. */
    static List<SessionToken> seen(List<RowClient> clients) {
        List<SessionToken> tokens = new ArrayList<>();
        for (RowClient client : clients) {
            if (client instanceof MeteorShowerRowClient served) {
                tokens.add(served.session().token());
            }
        }
        return tokens;
    }

    private Statements of(String dc) {
        Statements found = statements.get(dc);
        if (found == null) {
            throw new IllegalArgumentException("nothing is prepared in data centre " + dc);
        }
        return found;
    }
}
