/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Changes the faults that a plan lists. */
final class StrikeMutations {
    private static final String FAULT = "fault";
    private static final String AT = "atMicros";
    private static final String NUMBER = "number";
    private static final int NUMBERS = 1_000_000;

    private final Hull hull;
    private final SplittableRandom random;

    StrikeMutations(Hull hull, SplittableRandom random) {
        this.hull = hull;
        this.random = random;
    }

    /** @param other gives what is spliced in */
    void change(ArrayNode strikes, ArrayNode other) {
        int what = strikes.isEmpty() ? 0 : random.nextInt(10);
        switch (what) {
            case 0, 1 -> add(strikes);
            case 2 -> strikes.remove(random.nextInt(strikes.size()));
            case 3 -> {
                ObjectNode twin = any(strikes).deepCopy();
                put(strikes, moved(twin, nearby()));
            }
            case 4, 5 -> moved(any(strikes), nearby());
            case 6 -> any(strikes).put(AT, hull.moment(random.nextDouble()));
            case 7 -> any(strikes).put(NUMBER, random.nextInt(NUMBERS));
            case 8 -> any(strikes).put(FAULT, anyFault());
            default -> splice(strikes, other);
        }
    }

    private void add(ArrayNode strikes) {
        ObjectNode strike = strikes.objectNode();
        boolean soonAfterAnother = !strikes.isEmpty() && random.nextBoolean();
        long at = soonAfterAnother
                ? any(strikes).path(AT).asLong() + Math.abs(nearby())
                : hull.moment(random.nextDouble());
        strike.put(FAULT, anyFault()).put(AT, hull.atMost(at)).put(NUMBER, random.nextInt(NUMBERS));
        put(strikes, strike);
    }

    private String anyFault() {
        return hull.faults().get(random.nextInt(hull.faults().size()));
    }

    private ObjectNode any(ArrayNode strikes) {
        return (ObjectNode) strikes.get(random.nextInt(strikes.size()));
    }

    private void put(ArrayNode strikes, ObjectNode strike) {
        if (strikes.size() < hull.mostStrikes()) {
            strikes.add(strike);
        }
    }

    /** From 0.1 ms to 3 s, each order of magnitude as often, in either direction. */
    private long nearby() {
        long micros = (long) Math.exp(Math.log(100) + random.nextDouble() * Math.log(30_000));
        return random.nextBoolean() ? micros : -micros;
    }

    private ObjectNode moved(ObjectNode strike, long micros) {
        return strike.put(AT, hull.atMost(strike.path(AT).asLong() + micros));
    }

    /** What strikes up to some moment stays, and what the other one has from there on is taken over. */
    private void splice(ArrayNode strikes, ArrayNode other) {
        long moment = hull.moment(random.nextDouble());
        for (int i = strikes.size() - 1; i >= 0; i--) {
            if (strikes.get(i).path(AT).asLong() > moment) {
                strikes.remove(i);
            }
        }
        for (JsonNode strike : other) {
            if (strike.path(AT).asLong() > moment) {
                put(strikes, strike.deepCopy());
            }
        }
    }

    void withoutHalfOfTheKinds(ArrayNode strikes) {
        Set<String> off = new HashSet<>();
        for (String fault : hull.faults()) {
            if (random.nextBoolean()) {
                off.add(fault);
            }
        }
        for (int i = strikes.size() - 1; i >= 0; i--) {
            if (off.contains(strikes.get(i).path(FAULT).asText())) {
                strikes.remove(i);
            }
        }
    }
}
