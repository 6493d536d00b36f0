/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Makes a set of operations that no order can hold smaller, by leaving out parts as long as it stays so.
 *
 * <p>Only what could also be left out of an order that is right is left out: reads; writes together with their reads;
 * deletes together with the reads of null of their key. So a violation of the part is one of the whole.
 */
final class Shrinker {
    private static final CheckLimits PART_LIMITS = new CheckLimits(200_000, 0);
    private static final long WORK_LIMIT = 20_000_000L; // operations checked, over all parts

    private final History history;
    private final ProblemBuilder builder;
    private int checksLeft;
    private long workLeft = WORK_LIMIT;

    Shrinker(History history, ProblemBuilder builder, int maxChecks) {
        this.history = history;
        this.builder = builder;
        checksLeft = maxChecks;
    }

    /** The smaller set, ascending, or the given one if it alone shows no violation. */
    int[] shrink(int[] operations) {
        if (!violates(operations)) {
            return operations;
        }
        int[] ops = operations;
        int chunk = Math.max(1, ops.length / 2);
        boolean again = true;
        while (again && checksLeft > 0 && workLeft > 0) {
            int before = ops.length;
            ops = withoutChunks(ops, chunk);
            again = chunk > 1 || ops.length < before;
            chunk = Math.max(1, chunk / 2);
        }
        return ops;
    }

    private int[] withoutChunks(int[] operations, int chunk) {
        int[] ops = operations;
        int start = 0;
        while (start < ops.length) {
            int[] fewer = without(ops, start, Math.min(start + chunk, ops.length));
            if (violates(fewer)) {
                ops = fewer;
            } else {
                start += chunk;
            }
        }
        return ops;
    }

    /** What the engine says of the part, for the explanation. */
    Finding finding(int[] ops) {
        return Engine.run(builder.build(ops), PART_LIMITS);
    }

    private boolean violates(int[] ops) {
        if (ops.length == 0 || checksLeft <= 0 || workLeft <= 0) {
            return false;
        }
        checksLeft--;
        workLeft -= ops.length;
        return finding(ops).isViolation();
    }

    private int[] without(int[] ops, int from, int to) {
        BitSet removedWrites = new BitSet();
        BitSet removedDeletes = new BitSet(); // keys
        for (int i = from; i < to; i++) {
            if (history.isDelete(ops[i])) {
                removedDeletes.set(history.key(ops[i]));
            } else if (history.isWrite(ops[i])) {
                removedWrites.set(ops[i]);
            }
        }
        int[] kept = new int[ops.length];
        int size = 0;
        for (int i = 0; i < ops.length; i++) {
            int op = ops[i];
            boolean losesWrite = !history.isWrite(op)
                    && (history.value(op) == History.NULL_VALUE
                            ? removedDeletes.get(history.key(op))
                            : removedWrites.get(history.writerOf(op)));
            if ((i < from || i >= to) && !losesWrite) {
                kept[size++] = op;
            }
        }
        return Arrays.copyOf(kept, size);
    }
}
