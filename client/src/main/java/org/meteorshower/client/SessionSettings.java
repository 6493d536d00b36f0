/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a builder settled for its sessions, and how a statement is dressed accordingly. Immutable.
 *
 * @param dataCentres at least one; the first is home, the order is the order of failover
 * @param coordinatorsToTry per data centre and statement; at least 1
 */
record SessionSettings(
        List<DataCentre> dataCentres,
        ReadMode defaultMode,
        ConsistencyLevel defaultConsistency,
        boolean failover,
        boolean requireServed,
        int coordinatorsToTry) {

    /** The statement with token, mode, consistency and idempotence set. Other entries of its payload stay. */
    Statement<?> dress(
            Statement<?> statement,
            StatementKind kind,
            DriverExecutionProfile profile,
            @Nullable ReadMode asked,
            SessionToken token) {
        Map<String, ByteBuffer> payload = new HashMap<>(statement.getCustomPayload());
        payload.put(PayloadKeys.TOKEN, token.bytes());
        if (token.hasTransactions()) {
            payload.put(PayloadKeys.TRANSACTIONS_TOKEN, token.transactionBytes());
        }
        ReadMode mode = mode(payload, profile, asked);
        if (mode.equals(ReadMode.SEQUENTIAL)) {
            payload.remove(PayloadKeys.MODE); // the coordinator's default
        } else {
            payload.put(PayloadKeys.MODE, Payload.ofText(mode.text()));
        }
        Statement<?> dressed = statement.setCustomPayload(payload);
        // What the driver repeats of its own accord would be a second write.
        dressed = dressed.setIdempotent(kind == StatementKind.READ);
        return dressed.getConsistencyLevel() != null || isConsistencySet(profile)
                ? dressed
                : dressed.setConsistencyLevel(defaultConsistency);
    }

    /** Asked for in the call, else on the statement, else by its profile, else the default. */
    private ReadMode mode(Map<String, ByteBuffer> payload, DriverExecutionProfile profile, @Nullable ReadMode asked) {
        if (asked != null) {
            return asked;
        }
        String onStatement = Payload.text(payload, PayloadKeys.MODE);
        if (onStatement != null) {
            return ReadMode.parse(onStatement);
        }
        if (!profile.isDefined(MeteorShowerOption.MODE)) {
            return defaultMode;
        }
        String configured = profile.getString(MeteorShowerOption.MODE);
        try {
            return ReadMode.parse(configured);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    MeteorShowerOption.MODE.getPath() + " of execution profile " + profile.getName() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** Whether the statement would mean something else in another data centre. */
    static boolean isBoundToDataCentre(Statement<?> statement, DriverExecutionProfile profile) {
        ConsistencyLevel level = statement.getConsistencyLevel();
        return statement.getNode() != null
                || (level != null
                        ? level.isDcLocal()
                        : isConsistencySet(profile) && configured(profile).startsWith("LOCAL_"));
    }

    /**
     * Whether the configuration asks for a consistency level. LOCAL_ONE is what the driver's own defaults say, so it
     * cannot be told from silence: to read at LOCAL_ONE, say so on the statement.
     */
    private static boolean isConsistencySet(DriverExecutionProfile profile) {
        return !configured(profile).equals(DefaultConsistencyLevel.LOCAL_ONE.name());
    }

    private static String configured(DriverExecutionProfile profile) {
        return profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY);
    }
}
