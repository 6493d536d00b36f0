/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Large histories of a store whose reads look back in time but never behind what their session has seen: sequentially
 * consistent, and linearizable when they do not look back. Writes take effect somewhere between start and end.
 */
final class StaleStore {
    private static final long WRITE_NANOS = 100_000;

    /** What to generate. */
    record Shape(
            int operations,
            int sessions,
            int keys,
            boolean versions,
            int deletePercent,
            int unknownPercent,
            long lookBackNanos,
            long seed) {}

    private final Shape shape;
    private final Random random;
    private final List<TreeMap<Long, String>> content = new ArrayList<>();
    private final long[] token;
    private final long[] free;

    private StaleStore(Shape shape) {
        this.shape = shape;
        random = new Random(shape.seed());
        token = new long[shape.sessions()];
        free = new long[shape.sessions()];
        for (int key = 0; key < shape.keys(); key++) {
            content.add(new TreeMap<>());
        }
    }

    static List<Operation> operations(Shape shape) {
        return new StaleStore(shape).generate();
    }

    private List<Operation> generate() {
        PriorityQueue<Integer> next = new PriorityQueue<>((a, b) -> Long.compare(free[a], free[b]));
        for (int session = 0; session < shape.sessions(); session++) {
            free[session] = session + 1L;
            next.add(session);
        }
        List<Operation> operations = new ArrayList<>(shape.operations());
        while (operations.size() < shape.operations()) {
            int session = next.remove();
            int key = random.nextInt(shape.keys());
            operations.add(random.nextBoolean() ? read(session, key) : write(session, key, operations.size()));
            free[session] += 1_000 + random.nextInt(100_000);
            next.add(session);
        }
        return operations;
    }

    private Operation read(int session, int key) {
        long start = free[session];
        long back = shape.lookBackNanos() == 0 ? 0 : random.nextLong(shape.lookBackNanos());
        token[session] = Math.max(token[session], start - back);
        Map.@Nullable Entry<Long, String> seen = content.get(key).floorEntry(token[session]);
        String value = seen == null || seen.getValue().isEmpty() ? null : seen.getValue();
        free[session] = start + 1_000;
        return Operation.read("s" + session, "k" + key, value, start, free[session]);
    }

    private Operation write(int session, int key, int number) {
        long start = free[session];
        long effect = start + 1 + random.nextLong(WRITE_NANOS);
        while (content.get(key).containsKey(effect)) {
            effect++;
        }
        long version = shape.versions() ? effect : Operation.NO_VERSION;
        String value = random.nextInt(100) < shape.deletePercent() ? null : "v" + number;
        boolean unknown = random.nextInt(100) < shape.unknownPercent();
        if (!unknown || random.nextBoolean()) {
            content.get(key).put(effect, value == null ? "" : value);
        }
        free[session] = Math.max(effect, start + WRITE_NANOS);
        if (unknown) {
            return Operation.unknownWrite("s" + session, "k" + key, value, start, version);
        }
        token[session] = Math.max(token[session], effect);
        return Operation.write("s" + session, "k" + key, value, start, free[session], version);
    }
}
