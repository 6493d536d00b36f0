/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;

/**
 * The steps of a run in the words of the specification ReadsAtACut.tla: its actions with their parameters. Times become
 * ranks among all times of the run, since the specification's clocks count from 0 without gaps.
 */
final class TraceSteps {
    private static final List<String> KEYS = List.of("x", "y");

    /** A time, by its rank; 0 stays 0. */
    record Time(long micros) {}

    /** By write, the stamps that are known; 0 where none is. */
    record Stamps(Map<Integer, Long> byWrite) {}

    /** A step, perhaps without all its parameters yet; one that never gets them is left out. */
    static final class Step {
        private final String action;
        private List<Object> parameters = List.of();
        private boolean complete;

        private Step(String action) {
            this.action = action;
        }

        void complete(Object... all) {
            parameters = List.of(all);
            complete = true;
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private final Map<String, Integer> sessions = new LinkedHashMap<>();
    private final Map<MutationName, Integer> writes = new LinkedHashMap<>();
    private final Map<PartitionKey, String> keys = new LinkedHashMap<>();

    /** What keeps the run from being told in the specification's words; null where nothing does. */
    private @Nullable String obstacle;

    /** Its parameters come later. */
    Step begun(String action) {
        Step step = new Step(action);
        steps.add(step);
        return step;
    }

    void add(String action, Object... parameters) {
        begun(action).complete(parameters);
    }

    int session(String name) {
        return sessions.computeIfAbsent(name, each -> sessions.size() + 1);
    }

    String key(PartitionKey key) {
        if (!keys.containsKey(key) && keys.size() == KEYS.size()) {
            obstacle = "more than " + KEYS.size() + " rows";
            return KEYS.get(0);
        }
        return keys.computeIfAbsent(key, each -> KEYS.get(keys.size()));
    }

    int begins(MutationName write) {
        if (writes.keySet().stream()
                .anyMatch(other -> other.id().timestampMicros() == write.id().timestampMicros())) {
            obstacle = "two writes have one timestamp";
        }
        return writes.computeIfAbsent(write, each -> writes.size() + 1);
    }

    /** Its number; 0 where no client has begun it. */
    int write(MutationName write) {
        return writes.getOrDefault(write, 0);
    }

    Set<MutationName> names() {
        return writes.keySet();
    }

    int writes() {
        return writes.size();
    }

    int sessions() {
        return sessions.size();
    }

    @Nullable
    String obstacle() {
        return obstacle;
    }

    /**
     * As tuples of TLA+, one a line: first what the sessions do, then the writes' keys, then each step.
     *
     * <p>A step is its action, and its parameters in the order of the specification.
     */
    List<String> lines() {
        List<Step> all = steps.stream().filter(step -> step.complete).toList();
        Map<Long, Integer> ranks = ranks(all);
        List<String> lines = new ArrayList<>();
        lines.add(programs(all));
        lines.add(tuple(
                writes.keySet().stream().map(write -> quoted(key(write.key()))).toList()));
        lines.add(Integer.toString(ranks.size()));
        all.forEach(step -> lines.add(text(step, ranks)));
        return lines;
    }

    private static Map<Long, Integer> ranks(List<Step> all) {
        TreeSet<Long> times = new TreeSet<>();
        for (Step step : all) {
            for (Object parameter : step.parameters) {
                if (parameter instanceof Time time) {
                    times.add(time.micros);
                } else if (parameter instanceof Stamps stamps) {
                    times.addAll(stamps.byWrite.values());
                }
            }
        }
        times.removeIf(time -> time <= 0);
        Map<Long, Integer> ranks = new HashMap<>();
        times.forEach(time -> ranks.put(time, ranks.size() + 1));
        return ranks;
    }

    private String programs(List<Step> all) {
        List<List<String>> programs = new ArrayList<>();
        sessions.values().forEach(each -> programs.add(new ArrayList<>()));
        for (Step step : all) {
            if (step.action.equals("begin") || step.action.equals("read")) {
                int write = step.action.equals("begin") ? (Integer) step.parameters.get(2) : 0;
                Object key = step.parameters.get(step.parameters.size() - 1);
                programs.get((Integer) step.parameters.get(0) - 1)
                        .add("[write |-> " + write + ", key |-> " + quoted(key) + "]");
            }
        }
        return tuple(programs.stream().map(TraceSteps::tuple).toList());
    }

    private String text(Step step, Map<Long, Integer> ranks) {
        List<String> parts = new ArrayList<>();
        parts.add(quoted(step.action));
        for (Object parameter : step.parameters) {
            if (parameter instanceof Time time) {
                parts.add(Integer.toString(ranks.getOrDefault(time.micros, 0)));
            } else if (parameter instanceof Stamps stamps) {
                List<String> ofAll = new ArrayList<>();
                for (int write = 1; write <= writes.size(); write++) {
                    ofAll.add(Integer.toString(ranks.getOrDefault(stamps.byWrite.getOrDefault(write, 0L), 0)));
                }
                parts.add(tuple(ofAll));
            } else if (parameter instanceof Integer number) {
                parts.add(Integer.toString(number));
            } else {
                parts.add(quoted(parameter));
            }
        }
        return tuple(parts);
    }

    private static String quoted(Object text) {
        return '"' + text.toString() + '"';
    }

    private static String tuple(List<String> parts) {
        return parts.stream().collect(Collectors.joining(", ", "<<", ">>"));
    }

    /** Numbers of writes as they are heard of: what no client began is left out. */
    Stamps stamps(Map<MutationName, Long> byName) {
        Map<Integer, Long> byWrite = new HashMap<>();
        byName.forEach((name, micros) -> {
            if (write(name) != 0) {
                byWrite.put(write(name), micros);
            }
        });
        return new Stamps(byWrite);
    }

    /** Of what a client was shown: the write that wrote it; 0 where there was nothing, -1 where nobody wrote it. */
    int shown(PartitionKey key, @Nullable Long timestampMicros) {
        if (timestampMicros == null) {
            return 0;
        }
        var found = new HashSet<Integer>();
        writes.forEach((name, number) -> {
            if (name.key().equals(key) && name.id().timestampMicros() == timestampMicros) {
                found.add(number);
            }
        });
        return found.isEmpty() ? -1 : found.iterator().next();
    }
}
