/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One of the clients through the whole run. On the tables that MeteorShower serves it is one session, whatever the
 * mode; in each mode of plain Cassandra it counts as another, since nothing is promised between them. For one thread at
 * a time.
 */
final class Participant {
    /** One client in so many moves about once a second; the others stay at home. */
    private static final int MOVER_EVERY = 4;

    private final int index;
    private final String home;
    private final List<String> dcs;
    private final RowKeys keys;
    private final RandomGenerator random;
    private final MeteorShowerClient served;
    private final SessionLog servedLog;
    private final Map<Mode, CassandraClient> plain = new EnumMap<>(Mode.class);
    private final Map<Mode, SessionLog> plainLogs = new EnumMap<>(Mode.class);
    private int values;

    Participant(int index, Connections connections, RowKeys keys) {
        this.index = index;
        this.keys = keys;
        dcs = connections.dcs();
        home = dcs.get(index % dcs.size());
        random = new SplittableRandom(index);
        served = new MeteorShowerClient(connections, connections.newSession(home));
        servedLog = new SessionLog(name());
        for (Mode mode : Mode.values()) {
            if (!mode.isServed()) {
                plain.put(mode, new CassandraClient(connections, home));
                plainLogs.put(mode, new SessionLog(mode.word() + "-" + name()));
            }
        }
    }

    private String name() {
        return String.format(Locale.ROOT, "s%02d", index);
    }

    String home() {
        return home;
    }

    boolean moves() {
        return dcs.size() > 1 && index % MOVER_EVERY == MOVER_EVERY - 1;
    }

    /** Any data centre but this one. */
    String elsewhere(String here) {
        List<String> others = dcs.stream().filter(dc -> !dc.equals(here)).toList();
        return others.get(random.nextInt(others.size()));
    }

    RowClient client(Mode mode) {
        CassandraClient client = plain.get(mode);
        return client == null ? served : client;
    }

    MeteorShowerClient served() {
        return served;
    }

    SessionLog log(Mode mode) {
        SessionLog log = plainLogs.get(mode);
        return log == null ? servedLog : log;
    }

    RandomGenerator random() {
        return random;
    }

    int randomRow() {
        return random.nextInt(keys.rows());
    }

    String key(Mode mode, int row) {
        return keys.of(mode, row);
    }

    /** Written by nobody else, ever. */
    String nextValue() {
        values++;
        return name() + "-" + values;
    }
}
