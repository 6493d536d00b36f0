/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Decides small histories by trying every order, straight from the definitions and sharing nothing with the checker.
 * States already tried are not tried again.
 */
final class Oracle {
    private final List<Operation> ops;
    private final boolean realTime;
    private final Set<String> tried = new HashSet<>();
    private final boolean[] done;
    private final Map<String, String> store = new HashMap<>();
    private final Map<String, Long> version = new HashMap<>();

    private Oracle(List<Operation> ops, boolean realTime) {
        this.ops = ops;
        this.realTime = realTime;
        done = new boolean[ops.size()];
    }

    static boolean sequential(List<Operation> ops) {
        return new Oracle(ops, false).search();
    }

    static boolean linearizable(List<Operation> ops) {
        Set<String> keys = new HashSet<>();
        ops.forEach(op -> keys.add(op.key()));
        for (String key : keys) {
            List<Operation> own =
                    ops.stream().filter(op -> op.key().equals(key)).toList();
            if (!new Oracle(own, true).search()) {
                return false;
            }
        }
        return true;
    }

    private boolean search() {
        if (finished()) {
            return true;
        }
        if (!tried.add(state())) {
            return false;
        }
        List<Integer> next = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            if (mayHappen(i)) {
                next.add(i);
            }
        }
        for (int i : next) {
            Operation op = ops.get(i);
            String value = store.get(op.key());
            Long before = version.get(op.key());
            done[i] = true;
            if (op.type() == Operation.Type.WRITE) {
                store.put(op.key(), op.value());
                if (op.version() != Operation.NO_VERSION) {
                    version.put(op.key(), op.version());
                }
            }
            boolean found = search();
            done[i] = false;
            store.put(op.key(), value);
            version.put(op.key(), before);
            if (found) {
                return true;
            }
        }
        return false;
    }

    private boolean finished() {
        for (int i = 0; i < ops.size(); i++) {
            if (!done[i] && ops.get(i).status() == Operation.Status.OK) {
                return false;
            }
        }
        return true;
    }

    private boolean mayHappen(int i) {
        Operation op = ops.get(i);
        if (done[i] || op.status() == Operation.Status.FAIL) {
            return false;
        }
        if (op.type() == Operation.Type.READ) {
            if (op.status() != Operation.Status.OK || !Objects.equals(store.get(op.key()), op.value())) {
                return false;
            }
        } else if (op.version() != Operation.NO_VERSION
                && version.get(op.key()) != null
                && version.get(op.key()) > op.version()) {
            return false;
        }
        for (int j = 0; j < ops.size(); j++) {
            Operation other = ops.get(j);
            if (j != i && !done[j] && other.status() == Operation.Status.OK) {
                boolean sessionFirst = j < i && other.session().equals(op.session());
                boolean timeFirst = realTime && other.endNanos() < op.startNanos();
                if (sessionFirst || timeFirst) {
                    return false;
                }
            }
        }
        return true;
    }

    private String state() {
        StringBuilder state = new StringBuilder();
        for (boolean b : done) {
            state.append(b ? '1' : '0');
        }
        return state.append(store).append(version).toString();
    }
}
