/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadMode;

/**
 * Something that stores rows: whose client, how it reads and how it writes. Immutable.
 *
 * @param name in plans and reports
 * @param readMode null for plain Cassandra
 * @param tableOptions of a table that MeteorShower serves, as {@code meteorshower.tables} takes them
 * @param engine what runs its transactions; null: it is one of single operations
 * @param inTransactions whether its single operations are on a table that takes part in transactions
 */
public record SystemSpec(
        String name,
        DefaultConsistencyLevel readLevel,
        DefaultConsistencyLevel writeLevel,
        @Nullable ReadMode readMode,
        String tableOptions,
        @Nullable TransactionEngine engine,
        boolean inTransactions) {

    private static final String STRICT_AT_HOME = "strict=home";

    private static final List<SystemSpec> KNOWN = List.of(
            plain("cassandra-local-one", DefaultConsistencyLevel.LOCAL_ONE, DefaultConsistencyLevel.LOCAL_ONE),
            plain("cassandra-quorum", DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM),
            // Reads by a round of Paxos. Its writes are ordinary ones: what linearizable writes cost is not in it.
            plain("cassandra-serial", DefaultConsistencyLevel.SERIAL, DefaultConsistencyLevel.QUORUM),
            plain("cassandra-all-one", DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ALL),
            plain("cassandra-one-all", DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ONE),
            served("meteorshower", ReadMode.SEQUENTIAL),
            served("meteorshower1", ReadMode.METEORSHOWER1),
            served("meteorshower2", ReadMode.METEORSHOWER2),
            served("meteorshower-strict", ReadMode.STRICT),
            served("meteorshower-strict-home", ReadMode.STRICT, STRICT_AT_HOME),
            writing(DefaultConsistencyLevel.ONE, "meteorshower-one-all", ReadMode.SEQUENTIAL),
            writing(DefaultConsistencyLevel.ONE, "meteorshower1-one-all", ReadMode.METEORSHOWER1),
            writing(DefaultConsistencyLevel.ONE, "meteorshower2-one-all", ReadMode.METEORSHOWER2),
            writing(DefaultConsistencyLevel.ALL, "meteorshower-all-one", ReadMode.SEQUENTIAL),
            writing(DefaultConsistencyLevel.ALL, "meteorshower1-all-one", ReadMode.METEORSHOWER1),
            writing(DefaultConsistencyLevel.ALL, "meteorshower2-all-one", ReadMode.METEORSHOWER2),
            // Snapshots, and transactions of one statement.
            new SystemSpec(
                    "catenae-snapshot",
                    DefaultConsistencyLevel.LOCAL_ONE,
                    DefaultConsistencyLevel.QUORUM,
                    null,
                    "",
                    null,
                    true));

    private static SystemSpec plain(String name, DefaultConsistencyLevel read, DefaultConsistencyLevel write) {
        return new SystemSpec(name, read, write, null, "", null, false);
    }

    private static SystemSpec served(String name, ReadMode mode) {
        return served(name, mode, "");
    }

    private static SystemSpec served(String name, ReadMode mode, String tableOptions) {
        return new SystemSpec(
                name, DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM, mode, tableOptions, null, false);
    }

    /** A write takes effect at this level, and not at a majority. */
    private static SystemSpec writing(DefaultConsistencyLevel level, String name, ReadMode mode) {
        return new SystemSpec(name, DefaultConsistencyLevel.QUORUM, level, mode, "w=" + word(level), null, false);
    }

    /** The system that is nothing but this. */
    public static SystemSpec transactional(TransactionEngine engine) {
        return new SystemSpec(
                engine.word(), DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM, null, "", engine, false);
    }

    /** The one that plans call so without saying more; null where there is none. */
    static @Nullable SystemSpec known(String name) {
        TransactionEngine engine = TransactionEngine.named(name);
        return engine != null
                ? transactional(engine)
                : KNOWN.stream()
                        .filter(each -> each.name.equals(name))
                        .findFirst()
                        .orElse(null);
    }

    static String knownNames() {
        return Stream.concat(
                        KNOWN.stream().map(SystemSpec::name),
                        Arrays.stream(TransactionEngine.values()).map(TransactionEngine::word))
                .collect(Collectors.joining(", "));
    }

    /** Whether MeteorShower serves it; otherwise Cassandra does, on a table that is not enabled. */
    public boolean isServed() {
        return readMode != null;
    }

    /** Whether its nodes must have the plugin. */
    boolean needsPlugin() {
        return isServed() || inTransactions || engine == TransactionEngine.CATENAE;
    }

    /** Whether what its sessions see is promised to be one order, so that a checker can judge it. */
    public boolean isJudged() {
        return isServed() || inTransactions;
    }

    /** Whether it is asked for transactions rather than for single operations. */
    public boolean isTransactional() {
        return engine != null;
    }

    /** {@code cassandra}, {@code meteorshower}, or what runs the transactions. */
    public String product() {
        return engine != null
                ? engine.word()
                : inTransactions ? TransactionEngine.CATENAE.word() : isServed() ? "meteorshower" : "cassandra";
    }

    /** How it reads and writes, in one word. */
    public String mode() {
        if (engine != null) {
            return "transactions";
        } else if (inTransactions) {
            return "snapshot";
        }
        ReadMode mode = readMode;
        if (mode != null) {
            String reads = isStrictAtHome() ? mode.text() + "_home" : mode.text();
            return writeLevel == DefaultConsistencyLevel.QUORUM ? reads : reads + ",write_" + word(writeLevel);
        }
        return readLevel == writeLevel ? word(readLevel) : "read_" + word(readLevel) + ",write_" + word(writeLevel);
    }

    private boolean isStrictAtHome() {
        return tableOptions.startsWith(STRICT_AT_HOME);
    }

    private String how() {
        return isStrictAtHome() ? " by leases" : "";
    }

    /** For people. */
    public String description() {
        return engine != null
                ? engine.description()
                : inTransactions
                        ? "Catenae on Cassandra 5.0: snapshot reads, writes as transactions"
                        : (isServed() ? "MeteorShower, reads " + readMode + how() : "Cassandra, reads " + readLevel)
                                + ", writes " + writeLevel;
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
