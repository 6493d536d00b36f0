/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Small histories of a sequentially consistent store, then often spoilt: a read changed, versions swapped, tied or left
 * out, outcomes forgotten or denied.
 */
final class RandomHistory {
    private final Random random;
    private final List<Operation> ops = new ArrayList<>();

    private RandomHistory(long seed) {
        random = new Random(seed);
    }

    static List<Operation> of(long seed) {
        return new RandomHistory(seed).generate();
    }

    static History history(List<Operation> ops) {
        HistoryBuilder builder = History.builder();
        ops.forEach(builder::add);
        return builder.build();
    }

    private List<Operation> generate() {
        int sessions = 1 + random.nextInt(4);
        int keys = 1 + random.nextInt(3);
        int count = 2 + random.nextInt(9);
        int deletePercent = random.nextBoolean() ? 0 : 30;
        int versions = random.nextInt(3); // 0: none, 1: all, 2: some
        int unknownPercent = random.nextInt(3) == 0 ? 30 : 0;
        int unansweredLost = random.nextInt(2);
        Map<String, String> store = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String session = "s" + random.nextInt(sessions);
            String key = "k" + random.nextInt(keys);
            boolean read = random.nextBoolean();
            if (read) {
                ops.add(Operation.read(session, key, store.get(key), 0, 0));
            } else {
                String value = random.nextInt(100) < deletePercent ? null : "v" + i;
                boolean versioned = versions == 1 || (versions == 2 && random.nextBoolean());
                long version = versioned ? (random.nextInt(8) == 0 ? Math.max(0, i - 2) : i) : Operation.NO_VERSION;
                boolean unknown = random.nextInt(100) < unknownPercent;
                if (!unknown || random.nextInt(2) >= unansweredLost) {
                    store.put(key, value);
                }
                ops.add(
                        unknown
                                ? Operation.unknownWrite(session, key, value, 0, version)
                                : Operation.write(session, key, value, 0, 0, version));
            }
        }
        if (random.nextInt(4) == 0) {
            delayUnknown();
        }
        setTimes(sessions);
        int spoilt = random.nextInt(3);
        for (int i = 0; i < spoilt; i++) {
            spoil();
        }
        return ops;
    }

    /** An unknown write takes effect late: its line stands earlier in its session than its effect in the order. */
    private void delayUnknown() {
        for (int i = ops.size() - 1; i > 0; i--) {
            if (ops.get(i).status() == Operation.Status.UNKNOWN) {
                Operation op = ops.remove(i);
                ops.add(random.nextInt(i + 1), op);
            }
        }
    }

    /** Times around an order of effects; half of the time another interleaving of the sessions than the true one. */
    private void setTimes(int sessions) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            order.add(i);
        }
        if (random.nextBoolean()) {
            order = interleaved();
        }
        long[] effect = new long[ops.size()];
        for (int i = 0; i < order.size(); i++) {
            effect[order.get(i)] = (i + 1) * 10L;
        }
        long[] free = new long[sessions];
        for (int i = 0; i < ops.size(); i++) {
            Operation op = ops.get(i);
            int session = Integer.parseInt(op.session().substring(1));
            long start = free[session] + random.nextInt((int) Math.max(1, effect[i] - free[session] + 1));
            long nextEffect = effect[i] + 30;
            for (int j = i + 1; j < ops.size(); j++) {
                if (ops.get(j).session().equals(op.session())) {
                    nextEffect = Math.min(nextEffect, effect[j]);
                    break;
                }
            }
            long end = effect[i] + random.nextInt((int) Math.max(1, nextEffect - effect[i] + 1));
            boolean unknown = op.status() == Operation.Status.UNKNOWN;
            free[session] = unknown ? start : end;
            ops.set(
                    i,
                    new Operation(
                            op.session(),
                            op.type(),
                            op.key(),
                            op.value(),
                            start,
                            unknown ? Operation.NO_END : end,
                            op.status(),
                            op.version()));
        }
    }

    private List<Integer> interleaved() {
        Map<String, List<Integer>> bySession = new HashMap<>();
        for (int i = 0; i < ops.size(); i++) {
            bySession
                    .computeIfAbsent(ops.get(i).session(), s -> new ArrayList<>())
                    .add(i);
        }
        List<List<Integer>> queues = new ArrayList<>(bySession.values());
        List<Integer> order = new ArrayList<>();
        while (!queues.isEmpty()) {
            int q = random.nextInt(queues.size());
            order.add(queues.get(q).remove(0));
            if (queues.get(q).isEmpty()) {
                queues.remove(q);
            }
        }
        return order;
    }

    private void spoil() {
        int i = random.nextInt(ops.size());
        Operation op = ops.get(i);
        String value = op.value();
        Operation.Status status = op.status();
        long version = op.version();
        long end = op.endNanos();
        if (op.type() == Operation.Type.READ) {
            List<String> values = new ArrayList<>(Arrays.asList((String) null));
            ops.stream()
                    .filter(o -> o.type() == Operation.Type.WRITE && o.key().equals(op.key()))
                    .forEach(o -> values.add(o.value()));
            value = values.get(random.nextInt(values.size()));
            if (random.nextInt(15) == 0) {
                value = "nobody's";
            }
            if (random.nextInt(10) == 0) {
                status = Operation.Status.UNKNOWN;
            }
        } else if (random.nextInt(3) == 0) {
            status = random.nextInt(4) == 0 ? Operation.Status.FAIL : Operation.Status.UNKNOWN;
        } else if (version != Operation.NO_VERSION) {
            version = random.nextInt(ops.size());
        }
        if (status == Operation.Status.UNKNOWN) {
            end = Operation.NO_END;
        }
        ops.set(i, new Operation(op.session(), op.type(), op.key(), value, op.startNanos(), end, status, version));
    }
}
