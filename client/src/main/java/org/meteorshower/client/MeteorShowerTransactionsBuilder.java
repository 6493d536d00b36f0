/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.time.Duration;

/** Builds what runs transactions. Not thread-safe. */
public final class MeteorShowerTransactionsBuilder {

    private final MeteorShowerSession session;
    private Duration patience = Duration.ofSeconds(10);
    private Duration resolvePatience = Duration.ofSeconds(5);
    private int mostSessions = 8;
    private int mostTries = 10;
    private String group = TransactionPools.WHOLE;

    MeteorShowerTransactionsBuilder(MeteorShowerSession session) {
        this.session = session;
    }

    /**
     * For how long new attempts at a transaction begin; each takes the driver's request time-out at most. Too short: a
     * data centre's takeover (a second) shows as failures. Too long: callers wait while a majority is away. Default: 10
     * s.
     *
     * @throws IllegalArgumentException if negative
     */
    public MeteorShowerTransactionsBuilder patience(Duration duration) {
        this.patience = notNegative(duration);
        return this;
    }

    /**
     * After that, for how long it is asked what became of a transaction in doubt. Too short: more
     * {@link UnknownOutcomeException}s. Default: 5 s.
     *
     * @throws IllegalArgumentException if negative
     */
    public MeteorShowerTransactionsBuilder resolvePatience(Duration duration) {
        this.resolvePatience = notNegative(duration);
        return this;
    }

    /**
     * How many sessions of each group of data centres are opened at the cluster at most, as they are needed: 16
     * transactions are under way in each, further ones wait. Too many: each costs every data centre of the group a row
     * in memory for an hour after its last use. Default: 8.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public MeteorShowerTransactionsBuilder mostSessions(int count) {
        this.mostSessions = atLeastOne(count);
        return this;
    }

    /**
     * How often an interactive transaction is tried before {@link ContentionException}. Default: 10.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public MeteorShowerTransactionsBuilder mostTries(int count) {
        this.mostTries = atLeastOne(count);
        return this;
    }

    /**
     * The data centres whose group of tables most transactions are of: what is not known of a text is taken to be so,
     * and the first transaction then needs none but these. Who is wrong pays a round trip once for each text. Default:
     * all data centres that take part.
     *
     * @param dataCentres names joined by commas, in the order that {@code lane_group} in {@code meteorshower.tables}
     *     shows
     * @throws IllegalArgumentException if these cannot be names of data centres
     */
    public MeteorShowerTransactionsBuilder group(String dataCentres) {
        if (!TransactionPools.isName(dataCentres)) {
            throw new IllegalArgumentException("'" + dataCentres
                    + "' is no group: give names of data centres, joined by commas, as lane_group in"
                    + " meteorshower.tables shows them");
        }
        this.group = dataCentres;
        return this;
    }

    public MeteorShowerTransactions build() {
        return new MeteorShowerTransactions(
                session,
                new TransactionSettings(patience.toNanos(), resolvePatience.toNanos(), mostSessions, mostTries, group));
    }

    private static Duration notNegative(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("Patience cannot be " + duration + ": give zero or more");
        }
        return duration;
    }

    private static int atLeastOne(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("At least 1 is needed, not " + count);
        }
        return count;
    }
}
