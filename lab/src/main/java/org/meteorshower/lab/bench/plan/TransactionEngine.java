/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What runs the transactions of a workload of transactions. */
public enum TransactionEngine {
    /** This project's, on Cassandra 5.0. */
    CATENAE("catenae", "Catenae on Cassandra 5.0: BEGIN TRANSACTION", NetworkSpec.OURS),
    /** Cassandra 6's. */
    ACCORD("accord", "Accord on Cassandra 6.0-alpha2: BEGIN TRANSACTION", NetworkSpec.CASSANDRA_6),
    /** Conditional batches within one partition. */
    LWT("lwt", "Cassandra 5.0, conditional batches within a partition (Paxos v2)", NetworkSpec.OURS),
    /** A transaction manager above Cassandra. */
    SCALARDB("scalardb", "ScalarDB 3.19.1 on Cassandra 5.0, consensus commit (Paxos v2)", NetworkSpec.OURS),
    /** A model in memory. */
    LOCKING("2pl-paxos-commit", "two-phase locking and Paxos commit, a model in memory", NetworkSpec.OURS),
    /** A model in memory. */
    OPTIMISTIC("occ-paxos-commit", "optimistic validation and Paxos commit, a model in memory", NetworkSpec.OURS);

    private final String word;
    private final String description;
    private final String release;

    TransactionEngine(String word, String description, String release) {
        this.word = word;
        this.description = description;
        this.release = release;
    }

    /** As plans and reports name it. */
    public String word() {
        return word;
    }

    /** Whether its nodes are but in memory: the cluster that is there gives nothing but the distances. */
    public boolean isModel() {
        return this == LOCKING || this == OPTIMISTIC;
    }

    public String description() {
        return description;
    }

    /** The release of Cassandra that its networks must have. */
    public String release() {
        return release;
    }

    /** Null where none is called so. */
    public static @Nullable TransactionEngine named(String name) {
        return Arrays.stream(values())
                .filter(engine -> engine.word().equals(name))
                .findFirst()
                .orElse(null);
    }
}
