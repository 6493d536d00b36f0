/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.runtime.ByteAccount;

/**
 * The one place that knows how large the heap is, and divides it: each {@link MemoryUser} has a limit in bytes, and
 * tells how many it holds. It grants nothing itself: whoever holds memory is given its limit, keeps to it, and does at
 * its end what it has declared. Thread-safe.
 */
public final class MemoryBudget {
    /** Of the heap, to all users together: what is left is Cassandra's, its memtables first. */
    public static final double MOST = 0.6;

    static final long MEGABYTE = 1 << 20;

    /** What a message or record has beside the write that it carries. */
    static final long BESIDE_A_WRITE = 64 << 10;

    /** The largest write takes this part of the heap at most, unless an option says otherwise. */
    private static final int WRITES_IN_HEAP = 32;

    /** How a user does. */
    public record Use(MemoryUser user, long usedBytes, long limitBytes, long peakBytes, long timesFull) {}

    /** The options cannot work together on this heap; the message says which, and what would do. */
    public static final class UnworkableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnworkableException(String message) {
            super(message);
        }
    }

    private final Map<MemoryUser, Long> limits;
    private final long largestWriteBytes;

    /** Of those that are there. Guarded by itself. */
    private final Map<MemoryUser, Tally> tallies = new EnumMap<>(MemoryUser.class);

    private MemoryBudget(Map<MemoryUser, Long> limits, long largestWriteBytes) {
        this.limits = limits;
        this.largestWriteBytes = largestWriteBytes;
    }

    /**
     * @param heapBytes how large the heap can become
     * @param mutationBytes the largest mutation that Cassandra, and a message between nodes, take
     * @throws UnworkableException if it cannot be divided like this
     */
    public static MemoryBudget of(long heapBytes, MemoryShares wanted, long mutationBytes) throws UnworkableException {
        long largestWriteBytes = largestWrite(heapBytes, wanted, mutationBytes);
        Map<MemoryUser, Long> limits = new EnumMap<>(MemoryUser.class);
        for (MemoryUser user : MemoryUser.values()) {
            Double share = wanted.shares().get(user);
            long least = user.leastBytes(largestWriteBytes);
            long limit = (long) ((share == null ? user.share() : share) * heapBytes);
            if (share != null && limit < least) {
                throw new UnworkableException(tooSmall(user, share, limit, least, heapBytes));
            }
            limits.put(user, Math.max(limit, least));
        }
        requireRoom(limits, wanted, heapBytes);
        return new MemoryBudget(limits, largestWriteBytes);
    }

    private static long largestWrite(long heapBytes, MemoryShares wanted, long mutationBytes)
            throws UnworkableException {
        Integer megabytes = wanted.largestWriteMegabytes();
        if (megabytes == null) {
            return Math.min(mutationBytes, heapBytes / WRITES_IN_HEAP);
        }
        if (megabytes * MEGABYTE > mutationBytes) {
            throw new UnworkableException("option 'memory.largest_write_mb' is " + megabytes + ", and Cassandra"
                    + " (max_mutation_size) and messages between nodes take " + text(mutationBytes)
                    + " at most: set it to " + mutationBytes / MEGABYTE + " or less, or leave it out");
        }
        return megabytes * MEGABYTE;
    }

    private static String tooSmall(MemoryUser user, double share, long limit, long least, long heapBytes) {
        return "option 'memory." + user.text() + "' is " + share + ", which is " + text(limit) + " of this heap of "
                + text(heapBytes) + ", and it must hold " + text(least)
                + (least > MEGABYTE ? ", the largest write (memory.largest_write_mb)" : "") + ": set it to "
                + upwards((double) least / heapBytes) + " or more, leave it out, or give the node a larger heap (-Xmx)";
    }

    private static void requireRoom(Map<MemoryUser, Long> limits, MemoryShares wanted, long heapBytes)
            throws UnworkableException {
        long sum = limits.values().stream().mapToLong(Long::longValue).sum();
        long most = (long) (MOST * heapBytes);
        if (sum <= most) {
            return;
        }
        StringBuilder said = new StringBuilder();
        wanted.shares().forEach((user, share) -> said.append(said.isEmpty() ? "" : ", ")
                .append("memory.")
                .append(user.text())
                .append(": ")
                .append(share));
        if (wanted.largestWriteMegabytes() != null) {
            said.append(said.isEmpty() ? "" : ", ")
                    .append("memory.largest_write_mb: ")
                    .append(wanted.largestWriteMegabytes());
        }
        throw new UnworkableException("the group 'memory' takes " + text(sum) + " together with the defaults, and of"
                + " this heap of " + text(heapBytes) + " there are " + text(most) + " to give ("
                + (said.isEmpty() ? "no option of the group is set" : "set are " + said) + "): lower these by "
                + upwards((double) (sum - most) / heapBytes) + " of the heap, or give the node a larger one (-Xmx)");
    }

    /** As an option can say it: three digits, never less. */
    private static String upwards(double share) {
        return String.format(Locale.ROOT, "%.3f", Math.ceil(1_000 * share) / 1_000);
    }

    private static String text(long bytes) {
        return bytes < 10 * MEGABYTE && bytes % MEGABYTE != 0
                ? String.format(Locale.ROOT, "%.1f MB", (double) bytes / MEGABYTE)
                : bytes / MEGABYTE + " MB";
    }

    /** What the user may hold, in bytes. */
    public long limit(MemoryUser user) {
        Long limit = limits.get(user);
        if (limit == null) {
            throw new IllegalStateException("no limit for " + user);
        }
        return limit;
    }

    /** What all users may hold together, in bytes. */
    public long limitBytes() {
        return limits.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What the largest write takes that is admitted, in bytes. */
    public long largestWriteBytes() {
        return largestWriteBytes;
    }

    /** What a message takes that carries the largest write, in bytes. */
    public long largestMessageBytes() {
        return largestWriteBytes + BESIDE_A_WRITE;
    }

    /**
     * The user is there, and shown from now on. Who is registered twice holds the sum.
     *
     * @param usedBytes how much it holds; asked once a second, by any thread: must be cheap, and thread-safe
     */
    public void register(MemoryUser user, LongSupplier usedBytes) {
        register(user, usedBytes, null);
    }

    /**
     * @param timesFull how often something was refused or let go since it held as much as it may, or null: as it is
     *     seen once a second
     */
    public void register(MemoryUser user, LongSupplier usedBytes, @Nullable LongSupplier timesFull) {
        synchronized (tallies) {
            tallies.computeIfAbsent(user, absent -> new Tally(limit(absent))).add(usedBytes, timesFull);
        }
    }

    /** An account of as much as the user may hold, which is shown from now on. */
    public ByteAccount account(MemoryUser user) {
        ByteAccount account = new ByteAccount(limit(user));
        register(user, account);
        return account;
    }

    /** Whoever keeps to its limit by an account of its own. */
    public void register(MemoryUser user, ByteAccount account) {
        register(user, account::used, account::timesFull);
    }

    /** How all do that are registered, in the order of the constants. Keeps the peaks: to be called every second. */
    public List<Use> look() {
        List<Use> uses = new ArrayList<>();
        synchronized (tallies) {
            tallies.forEach((user, tally) -> uses.add(tally.look(user)));
        }
        return uses;
    }
}
