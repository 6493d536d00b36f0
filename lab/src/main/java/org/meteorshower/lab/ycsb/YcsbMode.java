/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import org.meteorshower.ycsb.CassandraDb;
import org.meteorshower.ycsb.MeteorShowerDb;

/** How rows are read and written: which binding, with what properties, on a table in which keyspace. */
enum YcsbMode {
    LOCAL_ONE("LOCAL_ONE", "LOCAL_ONE"),
    QUORUM("QUORUM", "QUORUM"),
    /** The other way to make reads and writes meet: what all replicas say, of writes that any one has. */
    ALL("ALL", "ONE"),
    SEQUENTIAL,
    METEORSHOWER1,
    METEORSHOWER2,
    STRICT;

    private static final String READ_LEVEL = "cassandra.readconsistencylevel";
    private static final String WRITE_LEVEL = "cassandra.writeconsistencylevel";

    /** Of plain Cassandra's modes; empty for the others. */
    private final String readLevel;

    private final String writeLevel;

    YcsbMode() {
        this("", "");
    }

    YcsbMode(String readLevel, String writeLevel) {
        this.readLevel = readLevel;
        this.writeLevel = writeLevel;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether MeteorShower serves it; otherwise Cassandra does, on a table that is not enabled. */
    public boolean isServed() {
        return readLevel.isEmpty();
    }

    /** Two keyspaces, so that the plugin has nothing to do with what plain Cassandra is measured on. */
    public String keyspace() {
        return isServed() ? "ycsb" : "ycsb_plain";
    }

    Properties properties() {
        Properties all = new Properties();
        if (isServed()) {
            all.setProperty("db", MeteorShowerDb.class.getName());
            all.setProperty("meteorshower.mode", word());
        } else {
            all.setProperty("db", CassandraDb.class.getName());
            all.setProperty(READ_LEVEL, readLevel);
            all.setProperty(WRITE_LEVEL, writeLevel);
        }
        return all;
    }

    /** For loading: every replica has the rows before a read at one of them is measured. */
    Properties loadProperties() {
        Properties all = properties();
        if (!isServed()) {
            all.setProperty(WRITE_LEVEL, "ALL");
        }
        return all;
    }

    /** Throws IllegalArgumentException that lists the modes. */
    public static YcsbMode parse(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mode is called '" + text + "'; there are "
                        + Arrays.stream(values()).map(YcsbMode::word).collect(Collectors.joining(", "))));
    }
}
