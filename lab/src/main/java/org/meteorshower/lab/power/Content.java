/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one file: as they are now, and as they are on the platter. In pages; both share those that are alike.
 * Not thread-safe.
 */
final class Content {
    static final int PAGE = 4096;

    private final Map<Long, byte[]> now;
    private final Map<Long, byte[]> forced = new HashMap<>();
    private final Set<Long> dirty = new HashSet<>();
    private long size;
    private long forcedSize;

    /** An empty file. */
    Content() {
        now = new HashMap<>();
    }

    private Content(Map<Long, byte[]> pages, long size) {
        now = new HashMap<>(pages);
        forced.putAll(pages);
        this.size = size;
        forcedSize = size;
    }

    /** What is left of it when the power is gone. */
    Content afterLoss() {
        return new Content(forced, forcedSize);
    }

    long size() {
        return size;
    }

    byte[] read(long offset, int length) {
        int there = (int) Math.max(0, Math.min(length, size - offset));
        byte[] bytes = new byte[there];
        for (int done = 0; done < there; ) {
            long page = (offset + done) / PAGE;
            int within = (int) ((offset + done) % PAGE);
            int part = Math.min(PAGE - within, there - done);
            byte[] from = now.get(page);
            if (from != null) {
                System.arraycopy(from, within, bytes, done, part);
            }
            done += part;
        }
        return bytes;
    }

    void write(long offset, byte[] bytes) {
        for (int done = 0; done < bytes.length; ) {
            long page = (offset + done) / PAGE;
            int within = (int) ((offset + done) % PAGE);
            int part = Math.min(PAGE - within, bytes.length - done);
            System.arraycopy(bytes, done, writable(page), within, part);
            done += part;
        }
        size = Math.max(size, offset + bytes.length);
    }

    /** A page that only what is now has. */
    private byte[] writable(long page) {
        dirty.add(page);
        byte[] there = now.get(page);
        byte[] own = there == null ? new byte[PAGE] : there == forced.get(page) ? there.clone() : there;
        now.put(page, own);
        return own;
    }

    /** Of what is now; what is on the platter follows by {@link #truncateForced}. */
    void truncate(long length) {
        long pages = (length + PAGE - 1) / PAGE;
        now.keySet().removeIf(page -> page >= pages);
        dirty.removeIf(page -> page >= pages);
        forced.keySet().stream().filter(page -> page >= pages).forEach(dirty::add);
        if (length < size && length % PAGE != 0 && now.containsKey(length / PAGE)) {
            byte[] last = writable(length / PAGE);
            Arrays.fill(last, (int) (length % PAGE), PAGE, (byte) 0);
        }
        size = length;
    }

    /** The length alone has reached the platter. */
    void truncateForced(long length) {
        long pages = (length + PAGE - 1) / PAGE;
        forced.keySet().removeIf(page -> page >= pages);
        if (length < forcedSize && length % PAGE != 0) {
            byte[] last = forced.get(length / PAGE);
            if (last != null) {
                byte[] cut = last.clone();
                Arrays.fill(cut, (int) (length % PAGE), PAGE, (byte) 0);
                forced.put(length / PAGE, cut);
                dirty.add(length / PAGE);
            }
        }
        forcedSize = length;
    }

    /**
     * Everything is on the platter.
     *
     * @return whether the file system had to note more than bytes: pages that it had no place for, or another length
     */
    boolean force() {
        boolean grown = size != forcedSize;
        for (long page : dirty) {
            byte[] there = now.get(page);
            grown |= there != null && !forced.containsKey(page);
            move(page, there);
        }
        dirty.clear();
        forcedSize = size;
        return grown;
    }

    private void move(long page, byte @Nullable [] there) {
        if (there == null) {
            forced.remove(page);
        } else {
            forced.put(page, there);
        }
    }

    /**
     * The kernel had written some pages by itself before the power went: any of those that were not forced.
     *
     * @param share how many of them
     * @return how many are lost
     */
    int loseAllBut(double share, Random random) {
        int lost = 0;
        for (long page : dirty) {
            byte[] there = now.get(page);
            if (there != null && random.nextDouble() < share) {
                forced.put(page, there);
                forcedSize = Math.max(forcedSize, Math.min(size, (page + 1) * PAGE));
            } else {
                lost++;
            }
        }
        return lost;
    }
}
