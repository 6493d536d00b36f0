/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A core that goes wrong where a, b and c strike within ten milliseconds of each other, in this order: a run tells how
 * far it came.
 */
final class ToySubject implements Subject {
    private static final Family FAMILY = new Family("toys", List.of("toy"), List.of("frame"), List.of("c"), false);
    private static final long WITHIN_MICROS = 10_000;

    @Override
    public List<Family> families() {
        return List.of(FAMILY);
    }

    @Override
    public ObjectNode drawn(String kind, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ObjectNode plan = JsonNodeFactory.instance.objectNode();
        plan.put("seed", seed);
        plan.putObject("frame").put("a", seed).put("b", -seed);
        plan.putObject("workload").put("operations", 100 + random.nextInt(1_000));
        plan.putObject("faults").put("crashes", random.nextInt(3)).put("loss", random.nextDouble());
        ArrayNode strikes = plan.putArray("strikes");
        for (int i = random.nextInt(4); i >= 0; i--) {
            strikes.addObject()
                    .put("fault", List.of("a", "b", "d").get(random.nextInt(3)))
                    .put("atMicros", random.nextLong(10_000_000))
                    .put("number", random.nextInt(1_000));
        }
        return plan;
    }

    @Override
    public boolean mend(Family family, ObjectNode plan) {
        return plan.path("frame").path("a").asLong()
                == -plan.path("frame").path("b").asLong();
    }

    @Override
    public Ran run(ObjectNode plan) {
        List<Integer> features = new ArrayList<>();
        boolean wrong = false;
        for (JsonNode first : plan.path("strikes")) {
            features.add(first.path("fault").asText().charAt(0) + 0);
            boolean then = first.path("fault").asText().equals("a") && follows(plan, first, "b");
            if (then) {
                features.add(1);
            }
            for (JsonNode second : plan.path("strikes")) {
                wrong |= then && second.path("fault").asText().equals("b") && follows(plan, second, "c");
            }
        }
        return new Ran(
                new Features(
                        features.stream().distinct().mapToInt(Integer::intValue).toArray()),
                wrong ? "toy" : "",
                wrong ? "a, b and c" : null,
                plan.path("workload").path("operations").asLong());
    }

    private static boolean follows(ObjectNode plan, JsonNode strike, String fault) {
        for (JsonNode other : plan.path("strikes")) {
            long after =
                    other.path("atMicros").asLong() - strike.path("atMicros").asLong();
            if (other.path("fault").asText().equals(fault) && after > 0 && after <= WITHIN_MICROS) {
                return true;
            }
        }
        return false;
    }
}
