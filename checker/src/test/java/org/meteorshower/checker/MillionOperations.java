/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.meteorshower.checker.StaleStore.Shape;

/**
 * Checks histories of a million operations and prints seconds and heap. Not a test; by hand, after mvn test-compile:
 *
 * <pre>java -Xmx1g -cp checker/target/classes:checker/target/test-classes org.meteorshower.checker.MillionOperations
 * </pre>
 */
public final class MillionOperations {
    private MillionOperations() {}

    /** Arguments: operations, default 1000000, and sessions, default 24. */
    public static void main(String[] args) {
        int ops = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int sessions = args.length > 1 ? Integer.parseInt(args[1]) : 24;
        long look = 300_000;
        run("versions", new Shape(ops, sessions, 1000, true, 0, 0, look, 1), -1);
        run("versions, 4 keys", new Shape(ops, sessions, 4, true, 0, 0, look, 2), -1);
        run("versions, unknown", new Shape(ops, sessions, 1000, true, 0, 1, look, 3), -1);
        run("versions, deletes", new Shape(ops, sessions, 1000, true, 10, 0, look, 4), -1);
        run("versions, deletes, unknown", new Shape(ops, sessions, 1000, true, 10, 1, look, 5), -1);
        run("no versions", new Shape(ops, sessions, 1000, false, 0, 0, look, 6), -1);
        run("no versions, 4 keys", new Shape(ops, sessions, 4, false, 0, 0, look, 7), -1);
        run("no versions, unknown", new Shape(ops, sessions, 1000, false, 0, 1, look, 8), -1);
        run("no versions, deletes", new Shape(ops, sessions, 1000, false, 10, 0, look, 9), -1);
        run("versions, not stale", new Shape(ops, sessions, 1000, true, 0, 0, 0, 10), -1);
        run("no versions, not stale", new Shape(ops, sessions, 1000, false, 10, 1, 0, 11), -1);
        run("one key, not stale", new Shape(ops, sessions, 1, false, 0, 0, 0, 12), -1);
        run("versions, one old read", new Shape(ops, sessions, 1000, true, 0, 0, look, 13), ops / 2);
        run("no versions, one old read", new Shape(ops, sessions, 1000, false, 0, 0, look, 14), ops / 2);
        run("4 keys, one old read", new Shape(ops, sessions, 4, false, 0, 0, look, 15), ops / 2);
    }

    private static void run(String name, Shape shape, int spoilAfter) {
        List<Operation> operations = StaleStore.operations(shape);
        if (spoilAfter >= 0) {
            spoil(operations, spoilAfter);
        }
        History history = RandomHistory.history(operations);
        operations.clear();
        for (Model model : Model.values()) {
            if (model == Model.LINEARIZABLE && shape.lookBackNanos() > 0 && spoilAfter < 0) {
                continue;
            }
            long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long start = System.nanoTime();
            Verdict verdict = model.check(history);
            long elapsed = System.nanoTime() - start;
            cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
            long heap =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            System.out.printf(
                    "%-28s %-12s %-10s %7.2f s, processor %7.2f s, heap %d MB%n",
                    name, model, verdict.outcome(), elapsed / 1e9, cpu / 1e9, heap >> 20);
            if (verdict.outcome() != Outcome.CONSISTENT) {
                System.out.print(CheckReport.of(history, verdict, elapsed));
            }
        }
    }

    /** Gives one read, past an index, the value that an earlier read of its key and session saw. */
    private static void spoil(List<Operation> operations, int after) {
        for (int i = after; i < operations.size(); i++) {
            Operation op = operations.get(i);
            for (int j = i - 1; j >= 0 && op.type() == Operation.Type.READ; j--) {
                Operation old = operations.get(j);
                if (old.session().equals(op.session())
                        && old.key().equals(op.key())
                        && old.type() == Operation.Type.READ
                        && old.value() != null
                        && !old.value().equals(op.value())
                        && i - j > 20) {
                    operations.set(
                            i, Operation.read(op.session(), op.key(), old.value(), op.startNanos(), op.endNanos()));
                    return;
                }
            }
        }
    }
}
