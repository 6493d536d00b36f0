/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadMode;

/**
 * Something that stores rows: whose client, how it reads and how it writes. Immutable.
 *
 * @param name in plans and reports
 * @param readMode null for plain Cassandra
 * @param tableOptions of a table that MeteorShower serves, as {@code meteorshower.tables} takes them
 */
public record SystemSpec(
        String name,
        DefaultConsistencyLevel readLevel,
        DefaultConsistencyLevel writeLevel,
        @Nullable ReadMode readMode,
        String tableOptions) {

    private static final List<SystemSpec> KNOWN = List.of(
            plain("cassandra-local-one", DefaultConsistencyLevel.LOCAL_ONE, DefaultConsistencyLevel.LOCAL_ONE),
            plain("cassandra-quorum", DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM),
            plain("cassandra-all-one", DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ALL),
            plain("cassandra-one-all", DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ONE),
            served("meteorshower", ReadMode.SEQUENTIAL),
            served("meteorshower1", ReadMode.METEORSHOWER1),
            served("meteorshower2", ReadMode.METEORSHOWER2),
            served("meteorshower-strict", ReadMode.STRICT),
            writingOne("meteorshower-one-all", ReadMode.SEQUENTIAL),
            writingOne("meteorshower1-one-all", ReadMode.METEORSHOWER1),
            writingOne("meteorshower2-one-all", ReadMode.METEORSHOWER2));

    private static SystemSpec plain(String name, DefaultConsistencyLevel read, DefaultConsistencyLevel write) {
        return new SystemSpec(name, read, write, null, "");
    }

    private static SystemSpec served(String name, ReadMode mode) {
        return new SystemSpec(name, DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM, mode, "");
    }

    private static SystemSpec writingOne(String name, ReadMode mode) {
        return new SystemSpec(name, DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.ONE, mode, "w=one");
    }

    /** The one that plans call so without saying more; null where there is none. */
    static @Nullable SystemSpec known(String name) {
        return KNOWN.stream().filter(each -> each.name.equals(name)).findFirst().orElse(null);
    }

    static String knownNames() {
        return KNOWN.stream().map(SystemSpec::name).collect(Collectors.joining(", "));
    }

    /** Whether MeteorShower serves it; otherwise Cassandra does, on a table that is not enabled. */
    public boolean isServed() {
        return readMode != null;
    }

    /** {@code cassandra} or {@code meteorshower}. */
    public String product() {
        return isServed() ? "meteorshower" : "cassandra";
    }

    /** How it reads and writes, in one word. */
    public String mode() {
        ReadMode mode = readMode;
        if (mode != null) {
            return writeLevel == DefaultConsistencyLevel.QUORUM
                    ? mode.text()
                    : mode.text() + ",write_" + word(writeLevel);
        }
        return readLevel == writeLevel ? word(readLevel) : "read_" + word(readLevel) + ",write_" + word(writeLevel);
    }

    /** For people. */
    public String description() {
        return (isServed() ? "MeteorShower, reads " + readMode : "Cassandra, reads " + readLevel) + ", writes "
                + writeLevel;
    }

    /** A table of its own for each system: none weakens what another one promises. */
    public String table() {
        // With something in front: not every name is one in CQL.
        return "t_" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    }

    private static String word(DefaultConsistencyLevel level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
