/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.cluster.ClusterException;

/** Connections that ask for large rows of an enabled table and read nothing of what they get, beside writes. */
final class SlowReaderPhase implements Phase {
    private static final int IN_FLIGHT = 8;
    private static final int LARGE_ROWS = 16;
    private static final int LARGE_BYTES = 60_000;
    private static final int CONNECTIONS = 32;
    private static final int REQUESTS_EACH = 32;
    private static final double BEFORE = 0.2;
    private static final double UNTIL = 0.8;

    @Override
    public void run(PhaseRun run) throws InterruptedException {
        CqlSession session = run.session(run.dcs().get(0));
        for (int row = 0; row < LARGE_ROWS; row++) {
            session.execute(SimpleStatement.newInstance(
                            "INSERT INTO " + SizeTables.LARGE + " (id, value) VALUES (?, ?)",
                            row,
                            "x".repeat(LARGE_BYTES))
                    .setConsistencyLevel(ConsistencyLevel.QUORUM));
        }
        long begun = run.nanos();
        long length = run.length().toNanos();
        run.measureFromHere();
        run.beginSequential(run.dcs().subList(0, 1), IN_FLIGHT, 0);
        run.until(begun + (long) (BEFORE * length));
        run.window("before", begun);
        long asked = run.nanos();
        List<RawClient> clients = new ArrayList<>();
        try {
            run.note("unread_requests", ask(run, clients));
            run.note("unread_megabytes_asked_for", CONNECTIONS * REQUESTS_EACH * (LARGE_BYTES / 1e6));
            run.until(begun + (long) (UNTIL * length));
            run.collect("while nothing is read");
        } finally {
            clients.forEach(RawClient::close);
        }
        run.window("unread", asked);
        run.band("answers unread", asked);
        long after = run.nanos();
        run.until(begun + length);
        run.window("after", after);
    }

    /** Returns how many requests were sent: a node may stop taking them, which is right. */
    private static int ask(PhaseRun run, List<RawClient> clients) {
        int asked = 0;
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                RawClient client = new RawClient(run.nodes().of(run.dcs().get(0)));
                clients.add(client);
                for (int request = 0; request < REQUESTS_EACH; request++) {
                    client.ask(
                            request + 1,
                            "SELECT value FROM " + SizeTables.LARGE + " WHERE id = " + request % LARGE_ROWS);
                    asked++;
                }
            }
        } catch (IOException e) {
            if (clients.isEmpty()) {
                throw new ClusterException("no connection for a reader that does not read: " + e.getMessage(), e);
            }
            run.say("the node took no more requests: " + e.getMessage());
        }
        return asked;
    }
}
