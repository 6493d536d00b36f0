/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadMode;

/** How clients read and write. Each mode has a table that no mode with weaker promises writes to. */
enum Mode {
    CASSANDRA_LOCAL_ONE("Cassandra LOCAL_ONE", "plain_local_one", DefaultConsistencyLevel.LOCAL_ONE),
    CASSANDRA_QUORUM("Cassandra QUORUM", "plain_quorum", DefaultConsistencyLevel.QUORUM),
    SEQUENTIAL("sequential", "sequential", DefaultConsistencyLevel.QUORUM),
    METEORSHOWER1("MeteorShower1", "sequential", DefaultConsistencyLevel.QUORUM),
    METEORSHOWER2("MeteorShower2", "sequential", DefaultConsistencyLevel.QUORUM),
    /** A table of its own: linearizable are strict operations among each other, not with those of other modes. */
    STRICT("strict", "strict_rows", DefaultConsistencyLevel.QUORUM),
    /** The same by leases, on a table with {@code strict=home}. */
    STRICT_HOME("strict at home", "strict_home_rows", DefaultConsistencyLevel.QUORUM);

    private final String title;
    private final String table;
    private final DefaultConsistencyLevel consistency;

    Mode(String title, String table, DefaultConsistencyLevel consistency) {
        this.title = title;
        this.table = table;
        this.consistency = consistency;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** For options and JSON. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String table() {
        return table;
    }

    /** With which the table is enabled, as {@code meteorshower.tables} takes them. */
    String tableOptions() {
        return this == STRICT_HOME ? "strict=home" : "";
    }

    /** Whether reads and writes of the mode are linearizable. */
    boolean isStrict() {
        return ReadMode.STRICT.equals(readMode());
    }

    ConsistencyLevel consistency() {
        return consistency;
    }

    /** Null for the modes of plain Cassandra. */
    @Nullable
    ReadMode readMode() {
        return switch (this) {
            case CASSANDRA_LOCAL_ONE, CASSANDRA_QUORUM -> null;
            case SEQUENTIAL -> ReadMode.SEQUENTIAL;
            case METEORSHOWER1 -> ReadMode.METEORSHOWER1;
            case METEORSHOWER2 -> ReadMode.METEORSHOWER2;
            case STRICT, STRICT_HOME -> ReadMode.STRICT;
        };
    }

    /** Whether MeteorShower serves it; otherwise Cassandra does, on a table that is not enabled. */
    boolean isServed() {
        return readMode() != null;
    }

    /** Takes the words of {@link #word}, with or without "cassandra_". */
    static Mode parse(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(wanted) || mode.word().equals("cassandra_" + wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mode is called '" + text + "'; there are "
                        + Arrays.stream(values()).map(Mode::word).collect(Collectors.joining(", "))));
    }
}
