/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.PayloadKeys;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.lab.load.DataCentres;

/** One client's session, of either kind. For one thread. */
interface ReadClient {
    ResultSet execute(SimpleStatement statement);

    /** Whether a write that failed so may have taken effect or may still do so. */
    boolean mayHaveTakenEffect(RuntimeException failure);

    /**
     * In whose order an operation stands. All that a session with a token does is in its own; without one the order is
     * the coordinator's, and where a data centre has several nodes the driver takes them in turn.
     *
     * @param session the client's name
     * @param alone what to call the order of an operation that stands alone, since nobody knows its coordinator
     * @param info of the answer or the error; null where there is none
     */
    String orderOf(String session, String alone, @Nullable ExecutionInfo info);

    /** Who serves it now. */
    String dc();

    /** Where it can go; itself included. */
    List<String> reachable();

    void moveTo(String dc);

    /** With a token, at home in all data centres, going on to the next one where one fails. */
    record Roaming(MeteorShowerSession session, List<String> reachable, ReadMode mode) implements ReadClient {
        static Roaming of(DataCentres dataCentres, String home, ReadMode mode) {
            return new Roaming(dataCentres.newSession(home), dataCentres.names(), mode);
        }

        @Override
        public ResultSet execute(SimpleStatement statement) {
            return session.execute(statement, mode);
        }

        @Override
        public boolean mayHaveTakenEffect(RuntimeException failure) {
            return failure instanceof UnknownOutcomeException;
        }

        @Override
        public String orderOf(String name, String alone, @Nullable ExecutionInfo info) {
            return name;
        }

        @Override
        public String dc() {
            return session.dataCentre();
        }

        @Override
        public void moveTo(String dc) {
            session.moveTo(dc);
        }
    }

    /**
     * A stock driver: no token, one coordinator, QUORUM. It names the mode that it would get anyhow, only to be told
     * whether MeteorShower answered: what an ordinary table's QUORUM promises is not tested here.
     */
    record Stock(CqlSession session, String dc, ReadMode mode) implements ReadClient {
        /** Cassandra answered on its own path: the table was disabled, or the node is without the plugin. */
        static final class PlainAnswer extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }

        @Override
        public ResultSet execute(SimpleStatement statement) {
            ResultSet result = session.execute(mode.on(statement).setConsistencyLevel(ConsistencyLevel.QUORUM));
            if (!result.getExecutionInfo().getIncomingPayload().containsKey(PayloadKeys.TOKEN)) {
                throw new PlainAnswer();
            }
            return result;
        }

        @Override
        public boolean mayHaveTakenEffect(RuntimeException failure) {
            return true; // which errors rule it out is not needed here
        }

        @Override
        public String orderOf(String name, String alone, @Nullable ExecutionInfo info) {
            Node coordinator = info == null ? null : info.getCoordinator();
            return coordinator == null ? alone : name + "@" + coordinator.getEndPoint();
        }

        @Override
        public List<String> reachable() {
            return List.of(dc);
        }

        @Override
        public void moveTo(String other) {
            if (!other.equals(dc)) {
                throw new IllegalArgumentException("a stock session stays with its coordinator");
            }
        }
    }
}
