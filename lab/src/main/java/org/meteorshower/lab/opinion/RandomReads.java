/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Operation.Status;

/**
 * Small histories of registers, with all that the format knows: deletes, unknown and failed writes, versions of all, of
 * some or of none, moments that coincide. Each begins as that of a linearizable store; then up to three things in it
 * are changed.
 */
final class RandomReads {
    private static final long NEVER = Long.MAX_VALUE;

    /** An operation and the moment at which it takes effect. */
    private record Drawn(Operation operation, long effect) {}

    private final SplittableRandom random;
    private final List<Drawn> drawn = new ArrayList<>();

    private RandomReads(long seed) {
        random = new SplittableRandom(seed);
    }

    static History of(long seed) {
        RandomReads reads = new RandomReads(seed);
        reads.draw();
        reads.takeEffect();
        for (int changes = reads.random.nextInt(4); changes > 0; changes--) {
            reads.change();
        }
        HistoryBuilder history = History.builder();
        reads.drawn.forEach(each -> history.add(each.operation()));
        return history.build();
    }

    private void draw() {
        int sessions = 1 + random.nextInt(4);
        int keys = 1 + random.nextInt(2);
        int deletes = random.nextInt(3) == 0 ? 30 : 0;
        int lost = random.nextInt(2) * 25;
        long[] free = new long[sessions];
        for (int i = 4 + random.nextInt(11); i > 0; i--) {
            int session = random.nextInt(sessions);
            Operation.Type type = random.nextBoolean() ? Operation.Type.READ : Operation.Type.WRITE;
            Status status = type == Operation.Type.READ || random.nextInt(100) >= lost
                    ? Status.OK
                    : random.nextInt(3) > 0 ? Status.UNKNOWN : Status.FAIL;
            long start = free[session] + random.nextInt(5);
            long end = start + random.nextInt(8);
            long effect =
                    switch (status) {
                        case OK -> start + random.nextLong(end - start + 1);
                        case UNKNOWN -> random.nextBoolean() ? NEVER : start + random.nextInt(25);
                        case FAIL -> NEVER;
                    };
            String value = type == Operation.Type.READ || random.nextInt(100) < deletes ? null : "v" + i;
            free[session] = status == Status.UNKNOWN ? start : end;
            drawn.add(new Drawn(
                    new Operation(
                            "s" + session,
                            type,
                            "k" + random.nextInt(keys),
                            value,
                            start,
                            status == Status.UNKNOWN ? Operation.NO_END : end,
                            status,
                            Operation.NO_VERSION),
                    effect));
        }
    }

    /** Writes get versions in the order of their effects, reads what is there then. */
    private void takeEffect() {
        int versioned = random.nextInt(3) * 50;
        Map<String, String> store = new HashMap<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingLong(i -> drawn.get(i).effect()));
        long version = 0;
        for (int i : order) {
            Operation operation = drawn.get(i).operation();
            if (operation.type() == Operation.Type.READ) {
                set(i, store.get(operation.key()), operation.status(), Operation.NO_VERSION);
            } else {
                version++;
                boolean known = operation.status() != Status.FAIL && random.nextInt(100) < versioned;
                set(i, operation.value(), operation.status(), known ? version : Operation.NO_VERSION);
                if (drawn.get(i).effect() != NEVER) {
                    store.put(operation.key(), operation.value());
                }
            }
        }
    }

    private void set(int i, @Nullable String value, Status status, long version) {
        Operation of = drawn.get(i).operation();
        drawn.set(
                i,
                new Drawn(
                        new Operation(
                                of.session(),
                                of.type(),
                                of.key(),
                                value,
                                of.startNanos(),
                                of.endNanos(),
                                status,
                                version),
                        drawn.get(i).effect()));
    }

    private void change() {
        int i = random.nextInt(drawn.size());
        Operation operation = drawn.get(i).operation();
        if (operation.type() == Operation.Type.READ) {
            List<Operation> writes = drawn.stream()
                    .map(Drawn::operation)
                    .filter(other ->
                            other.type() == Operation.Type.WRITE && other.key().equals(operation.key()))
                    .toList();
            String seen = writes.isEmpty() || random.nextInt(8) == 0
                    ? null
                    : writes.get(random.nextInt(writes.size())).value();
            set(i, seen, random.nextInt(10) == 0 ? Status.UNKNOWN : Status.OK, Operation.NO_VERSION);
        } else if (operation.version() != Operation.NO_VERSION) {
            set(i, operation.value(), operation.status(), 1 + random.nextInt(drawn.size()));
        } else if (random.nextInt(4) == 0) {
            set(i, operation.value(), random.nextBoolean() ? Status.FAIL : Status.UNKNOWN, Operation.NO_VERSION);
        }
    }
}
