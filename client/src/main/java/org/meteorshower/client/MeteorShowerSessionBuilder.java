/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds sessions. Not thread-safe; the sessions are, and {@link MeteorShowerSession#newSession} makes more of them
 * cheaply.
 */
public final class MeteorShowerSessionBuilder {

    private final List<DataCentre> dataCentres = new ArrayList<>();
    private ReadMode defaultMode = ReadMode.SEQUENTIAL;
    private ConsistencyLevel defaultConsistency = DefaultConsistencyLevel.QUORUM;
    private boolean failover;
    private boolean requireServed;
    private int coordinatorsToTry = 3;

    MeteorShowerSessionBuilder() {}

    /**
     * Adds a data centre, named as Cassandra names the one whose nodes this CqlSession prefers. The first is home. The
     * session does not own the CqlSession.
     *
     * @throws IllegalArgumentException if its native protocol is older than version 4
     */
    public MeteorShowerSessionBuilder dataCentre(CqlSession cql) {
        return add(DataCentre.of(cql));
    }

    /** Adds a data centre under a name of your own. */
    public MeteorShowerSessionBuilder dataCentre(String name, CqlSession cql) {
        return add(new DataCentre(name, cql));
    }

    /** The mode where neither call, statement nor profile asks for one. Default: sequential. */
    public MeteorShowerSessionBuilder defaultMode(ReadMode mode) {
        this.defaultMode = mode;
        return this;
    }

    /** The consistency level where neither statement nor profile asks for one. Default: QUORUM. */
    public MeteorShowerSessionBuilder defaultConsistency(ConsistencyLevel level) {
        this.defaultConsistency = level;
        return this;
    }

    /**
     * Whether a statement goes on to the next data centre, in the order of adding, when no coordinator of the session's
     * own can serve it. The session then stays there until {@link MeteorShowerSession#moveTo}. Statements at a LOCAL_*
     * level or for a certain node never do. Default: no.
     */
    public MeteorShowerSessionBuilder failover(boolean enabled) {
        this.failover = enabled;
        return this;
    }

    /**
     * Whether a statement that was answered on Cassandra's own path is an error: for a read {@link NotServedException};
     * for a write, which has taken effect, {@link UnknownOutcomeException} with that cause. For sessions that use
     * enabled tables only. Reads of an enabled table whose replicas are being brought together (it was enabled lately,
     * or partitions move) are Cassandra's own for a while, and no error. Default: no.
     */
    public MeteorShowerSessionBuilder requireServed(boolean required) {
        this.requireServed = required;
        return this;
    }

    /**
     * How many connected coordinators of one data centre a statement is sent to at most. 1: no second one, except in
     * the next data centre. Too many: a statement that every coordinator refuses loads them all. Default: 3.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public MeteorShowerSessionBuilder coordinatorsToTry(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("A statement needs at least 1 coordinator, not " + count);
        }
        this.coordinatorsToTry = count;
        return this;
    }

    /**
     * A new session that has seen nothing.
     *
     * @throws IllegalStateException if there is no data centre
     */
    public MeteorShowerSession build() {
        if (dataCentres.isEmpty()) {
            throw new IllegalStateException("A session needs a data centre: call dataCentre(cqlSession) first");
        }
        return new MeteorShowerSession(new SessionSettings(
                List.copyOf(dataCentres), defaultMode, defaultConsistency, failover, requireServed, coordinatorsToTry));
    }

    private MeteorShowerSessionBuilder add(DataCentre added) {
        for (DataCentre present : dataCentres) {
            if (present.name().equals(added.name())) {
                throw new IllegalArgumentException("Data centre \"" + added.name()
                        + "\" is there already: name them apart, or set basic.load-balancing-policy.local-datacenter");
            }
        }
        dataCentres.add(added);
        return this;
    }
}
