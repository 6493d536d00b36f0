/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives one decoder one input after the other and holds it to its promises. Used by one thread. */
final class Judge {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Target target;
    private final int slack;
    private long refused;
    private long largestBytes;

    Judge(Target target) {
        this(target, 1);
    }

    /** @param slack how many times what the target allows may be allocated */
    Judge(Target target, int slack) {
        this.target = target;
        this.slack = slack;
    }

    /** Inputs that the decoder refused as it declares. */
    long refused() {
        return refused;
    }

    /** The most that it allocated for one input. */
    long largestBytes() {
        return largestBytes;
    }

    /**
     * @param expected what the view of a valid encoding must equal, or null for an input that may be refused
     * @throws AssertionError saying what is wrong with the decoder
     */
    void judge(byte[] input, @Nullable Object expected) {
        long allowed = target.freeBytes() + (long) target.bytesPerByte() * input.length;
        long allocated = decode(input, expected);
        if (allocated / slack > allowed) {
            // Once more: the first input that gets so far also pays for classes that are loaded late.
            allocated = decode(input, expected);
        }
        largestBytes = Math.max(largestBytes, allocated);
        if (allocated / slack > allowed) {
            throw new AssertionError("allocates " + allocated + " bytes for an input of " + input.length);
        }
    }

    /** Returns what was allocated. */
    private long decode(byte[] input, @Nullable Object expected) {
        byte[] own = input.clone();
        Object decoded;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            decoded = target.decode(own);
        } catch (Throwable e) { // judged here
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            if (expected != null || !target.declares(e)) {
                throw new AssertionError((expected != null ? "refuses a valid encoding: " : "throws ") + e, e);
            }
            refused++;
            return allocated;
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        Object view = target.view(decoded);
        if (expected != null && !Objects.equals(expected, view)) {
            throw new AssertionError("brings " + expected + " back as " + view);
        }
        return allocated;
    }
}
