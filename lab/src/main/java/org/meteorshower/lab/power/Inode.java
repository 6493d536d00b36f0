/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file or a folder. Its mode and its times are never lost: nothing here depends on them. Not thread-safe. */
final class Inode {
    static final int FOLDER = 0040000;
    static final int FILE = 0100000;

    private static final int KIND = 0170000;

    final long id;
    /** Null in a file. */
    final @Nullable Map<String, Inode> entries;
    /** As they are on the platter. */
    final Map<String, Inode> forcedEntries = new LinkedHashMap<>();
    /** Null in a folder. */
    final @Nullable Content content;

    final Disk disk;
    /** The life of the disk that it belongs to. */
    private final int life;
    /** Forcing it does nothing, though it says so: a disk that lies. */
    boolean lies;

    int mode;
    int links;
    long accessedNanos;
    long modifiedNanos;
    long changedNanos;
    /** How often the kernel was told of it, less what it has forgotten. */
    long lookups;

    Inode(long id, int mode, Disk disk) {
        this(id, mode, disk, new Content());
    }

    Inode(long id, int mode, Disk disk, Content content) {
        this.id = id;
        this.mode = mode;
        this.disk = disk;
        life = disk.life;
        boolean folder = (mode & KIND) == FOLDER;
        this.entries = folder ? new LinkedHashMap<>() : null;
        this.content = folder ? null : content;
        links = folder ? 2 : 1;
        long nanos = nowNanos();
        accessedNanos = nanos;
        modifiedNanos = nanos;
        changedNanos = nanos;
    }

    static long nowNanos() {
        return System.currentTimeMillis() * 1_000_000;
    }

    /** Whether the power went since it was opened or looked up. */
    boolean isGone() {
        return life != disk.life;
    }

    boolean isFolder() {
        return entries != null;
    }

    Map<String, Inode> entries() throws Refused {
        if (entries == null) {
            throw new Refused(Refused.ENOTDIR);
        }
        return entries;
    }

    Content content() throws Refused {
        if (content == null) {
            throw new Refused(Refused.EISDIR);
        }
        return content;
    }

    long size() {
        return content == null ? Content.PAGE : content.size();
    }

    void touched() {
        modifiedNanos = nowNanos();
        changedNanos = modifiedNanos;
    }
}
