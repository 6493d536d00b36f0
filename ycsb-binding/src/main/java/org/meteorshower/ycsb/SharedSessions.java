/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import site.ycsb.DBException;

/**
 * The connections that all threads of a YCSB client share: YCSB makes a binding for each thread and tells none of the
 * others. The first thread connects, the last one closes. Thread-safe.
 */
final class SharedSessions implements AutoCloseable {
    private record Key(ClusterSettings settings, boolean everyDataCentre) {}

    private static final Map<Key, SharedSessions> OPEN = new HashMap<>();

    private final Key key;
    private final DataCentreSessions dataCentres;
    private final ServedCounts served = new ServedCounts();
    private final AtomicInteger clients = new AtomicInteger();

    /** Guarded by {@link #OPEN}. */
    private int users;

    private SharedSessions(Key key, DataCentreSessions dataCentres) {
        this.key = key;
        this.dataCentres = dataCentres;
    }

    /** The caller closes it once. */
    static SharedSessions acquire(ClusterSettings settings, boolean everyDataCentre) throws DBException {
        Key key = new Key(settings, everyDataCentre);
        synchronized (OPEN) {
            SharedSessions shared = OPEN.get(key);
            if (shared == null) {
                shared = new SharedSessions(key, DataCentreSessions.connect(settings, everyDataCentre));
                OPEN.put(key, shared);
            }
            shared.users++;
            return shared;
        }
    }

    DataCentreSessions dataCentres() {
        return dataCentres;
    }

    ServedCounts served() {
        return served;
    }

    /** The data centre of the next client: one after the other. */
    String nextHome() {
        int client = clients.getAndIncrement();
        return dataCentres.homes().get(Math.floorMod(client, dataCentres.homes().size()));
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(key);
        }
        dataCentres.close();
        served.print();
    }
}
