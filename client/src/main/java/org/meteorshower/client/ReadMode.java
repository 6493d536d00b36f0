/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How fresh a read must be. Every mode is sequentially consistent; they differ in how long a read may wait. Immutable.
 *
 * @param text the mode as the payload and the driver's configuration spell it
 */
public record ReadMode(String text) {

    /** No wait unless the row is in flight at the replica: the default. */
    public static final ReadMode SEQUENTIAL = new ReadMode("sequential");

    /** Bounded with no staleness allowed: half a round trip. The paper's MeteorShower1. */
    public static final ReadMode METEORSHOWER1 = new ReadMode("meteorshower1");

    /**
     * Bounded by the one-way delay to the majority, so that a read need not wait for the wide area. The paper's
     * MeteorShower2.
     */
    public static final ReadMode METEORSHOWER2 = new ReadMode("meteorshower2");

    /**
     * Linearizable while the nodes' clocks agree within their declared error. A strict read waits for one one-way
     * delay; a strict write is acknowledged only after its timestamp has passed on every clock. Only statements that
     * all ask for it are ordered in real time.
     */
    public static final ReadMode STRICT = new ReadMode("strict");

    private static final String BOUNDED = "bounded:";

    /**
     * At most this stale, apart from clock error.
     *
     * @param staleness not negative; fractions of a microsecond are dropped, which is the stricter way
     * @throws IllegalArgumentException if negative or beyond a {@code long} of microseconds
     */
    public static ReadMode bounded(Duration staleness) {
        if (staleness.isNegative()) {
            throw new IllegalArgumentException("A read cannot be " + staleness + " stale: give zero or more");
        }
        try {
            long micros =
                    Math.addExact(Math.multiplyExact(staleness.getSeconds(), 1_000_000L), staleness.getNano() / 1_000);
            return new ReadMode(BOUNDED + micros);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(staleness + " does not fit in microseconds: give a shorter bound", e);
        }
    }

    /** Checks the text: see {@link #parse}. */
    public ReadMode {
        boolean known =
                switch (text) {
                    case "sequential", "meteorshower1", "meteorshower2", "strict" -> true;
                    default -> isBounded(text);
                };
        if (!known) {
            throw new IllegalArgumentException("\"" + text + "\" is not a read mode: use sequential, meteorshower1,"
                    + " meteorshower2, strict, or bounded: and a number of microseconds, as in bounded:5000");
        }
    }

    /**
     * The mode that this text stands for.
     *
     * @throws IllegalArgumentException if it is no mode; the message lists those there are
     */
    public static ReadMode parse(String text) {
        return switch (text) {
            case "sequential" -> SEQUENTIAL;
            case "meteorshower1" -> METEORSHOWER1;
            case "meteorshower2" -> METEORSHOWER2;
            case "strict" -> STRICT;
            default -> new ReadMode(text);
        };
    }

    /** A copy of the statement that asks for this mode, whichever MeteorShower session executes it. */
    public Statement<?> on(Statement<?> statement) {
        Map<String, ByteBuffer> payload = new HashMap<>(statement.getCustomPayload());
        payload.put(PayloadKeys.MODE, Payload.ofText(text));
        return statement.setCustomPayload(payload);
    }

    @Override
    public String toString() {
        return text;
    }

    private static boolean isBounded(String text) {
        if (!text.startsWith(BOUNDED) || !text.substring(BOUNDED.length()).matches("[0-9]{1,19}")) {
            return false;
        }
        try {
            return Long.parseLong(text.substring(BOUNDED.length())) >= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
