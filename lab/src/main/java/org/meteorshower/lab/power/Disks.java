/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files and folders as they are now, and as they are on the platter: a folder at the top is a disk, and loses what was
 * not forced when its power goes. Not thread-safe.
 */
final class Disks {
    static final long ROOT = 1;

    /** How much of the folders reaches the platter when a file is forced. */
    enum Metadata {
        /**
         * As with ext4, and much the same with XFS: in order, and all of it, where forcing needs any of it. Forcing the
         * data alone (fdatasync, msync) needs it where the file is new, has another length, or pages in new places.
         */
        ORDERED,
        /** As POSIX has it: a name is safe only when its folder was forced. */
        STRICT
    }

    /** What went with the power: pages of files, changes of folders and lengths. */
    record Loss(int pages, int changes) {}

    private final Metadata metadata;
    private final Set<String> liars;
    private final Map<Long, Inode> known = new HashMap<>();
    private final Inode root = new Inode(ROOT, Inode.FOLDER | 0755, new Disk(""));
    private long nextId = ROOT + 1;

    /** @param liars names of folders; forcing what lies in one does nothing, though it says so */
    Disks(Metadata metadata, Set<String> liars) {
        this.metadata = metadata;
        this.liars = Set.copyOf(liars);
        known.put(ROOT, root);
    }

    Inode byId(long id) throws Refused {
        Inode inode = known.get(id);
        if (inode == null || inode.isGone()) {
            throw new Refused(Refused.ESTALE);
        }
        return inode;
    }

    /** The kernel is told of it, and names it by its number from now on. */
    Inode told(Inode inode) {
        inode.lookups++;
        known.put(inode.id, inode);
        return inode;
    }

    void forget(long id, long lookups) {
        Inode inode = known.get(id);
        if (inode != null && id != ROOT) {
            inode.lookups -= lookups;
            if (inode.lookups <= 0) {
                known.remove(id);
            }
        }
    }

    Inode lookup(Inode folder, String name) throws Refused {
        Inode found = folder.entries().get(name);
        if (found == null) {
            throw new Refused(Refused.ENOENT);
        }
        return found;
    }

    Inode create(Inode folder, String name, int mode) throws Refused {
        Map<String, Inode> entries = folder.entries();
        if (entries.containsKey(name)) {
            throw new Refused(Refused.EEXIST);
        }
        boolean top = folder == root;
        Inode made = new Inode(nextId++, mode, top ? new Disk(name) : folder.disk);
        made.lies = folder.lies || liars.contains(name);
        name(folder, name, made, made);
        return made;
    }

    void link(Inode file, Inode folder, String name) throws Refused {
        if (folder.entries().containsKey(name)) {
            throw new Refused(Refused.EEXIST);
        }
        file.links++;
        name(folder, name, file, null);
    }

    void remove(Inode folder, String name, boolean isFolder) throws Refused {
        Inode found = lookup(folder, name);
        if (isFolder && !found.entries().isEmpty()) {
            throw new Refused(Refused.ENOTEMPTY);
        } else if (!isFolder && found.isFolder()) {
            throw new Refused(Refused.EISDIR);
        }
        found.links = isFolder ? 0 : found.links - 1;
        name(folder, name, null, null);
    }

    void rename(Inode from, String name, Inode to, String newName, boolean keepOther) throws Refused {
        Inode moved = lookup(from, name);
        Inode other = to.entries().get(newName);
        if (other == moved) {
            return;
        } else if (other != null && keepOther) {
            throw new Refused(Refused.EEXIST);
        } else if (other != null && other.isFolder() && !other.entries().isEmpty()) {
            throw new Refused(Refused.ENOTEMPTY);
        }
        if (other != null) {
            other.links--;
        }
        from.entries().remove(name);
        to.entries().put(newName, moved);
        from.touched();
        to.touched();
        Changes.Name gone = new Changes.Name(from, name, null);
        Changes.Name there = new Changes.Name(to, newName, moved);
        if (metadata == Metadata.STRICT && from != to) {
            from.disk.changes.add(null, there);
            from.disk.changes.add(null, gone);
        } else {
            from.disk.changes.add(null, gone, there);
        }
    }

    private void name(Inode folder, String name, @Nullable Inode child, @Nullable Inode concerned) throws Refused {
        if (child == null) {
            folder.entries().remove(name);
        } else {
            folder.entries().put(name, child);
        }
        folder.touched();
        if (folder != root) {
            folder.disk.changes.add(concerned, new Changes.Name(folder, name, child));
        }
    }

    void truncate(Inode file, long length) throws Refused {
        if (length != file.content().size()) {
            file.content().truncate(length);
            file.disk.changes.add(file, new Changes.Length(file, length));
        }
        file.touched();
    }

    void write(Inode file, long offset, byte[] bytes) throws Refused {
        file.content().write(offset, bytes);
        file.touched();
    }

    /** @param dataOnly fdatasync, or msync */
    void force(Inode inode, boolean dataOnly) throws Refused {
        if (inode.lies) {
            return;
        }
        Changes changes = inode.disk.changes;
        if (metadata == Metadata.STRICT) {
            if (inode.isFolder()) {
                changes.forceNames(inode);
            } else {
                changes.forceLength(inode);
                inode.content().force();
            }
            return;
        }
        if (!dataOnly || inode.isFolder() || changes.concern(inode)) {
            changes.force();
        }
        if (!inode.isFolder() && inode.content().force()) {
            changes.force();
        }
    }

    Disk disk(String name) throws Refused {
        return lookup(root, name).disk;
    }

    List<String> names() throws Refused {
        return new ArrayList<>(root.entries().keySet());
    }

    /**
     * The power was gone, and is back: what was not forced is lost, and nothing that was open is open any more.
     *
     * @param share of what was not forced that had reached the platter all the same, as the kernel writes by itself
     */
    Loss lose(String name, double share, Random random) throws Refused {
        Inode top = lookup(root, name);
        int changes = top.disk.changes.loseAllBut(share, random);
        int[] pages = {0};
        top.disk.life++;
        top.disk.power = Disk.Power.ON;
        root.entries().put(name, left(top, share, random, new IdentityHashMap<>(), pages));
        return new Loss(pages[0], changes);
    }

    /** What is left of a file or folder, and of all below. */
    private Inode left(Inode old, double share, Random random, Map<Inode, Inode> done, int[] lostPages) {
        Inode known = done.get(old);
        if (known != null) {
            known.links++;
            return known;
        }
        Content content = old.content;
        if (content != null) {
            lostPages[0] += content.loseAllBut(share, random);
        }
        Inode left = new Inode(nextId++, old.mode, old.disk, content == null ? new Content() : content.afterLoss());
        left.lies = old.lies;
        left.accessedNanos = old.accessedNanos;
        left.modifiedNanos = old.modifiedNanos;
        left.changedNanos = old.changedNanos;
        done.put(old, left);
        if (left.entries != null) {
            for (Map.Entry<String, Inode> entry : old.forcedEntries.entrySet()) {
                Inode child = left(entry.getValue(), share, random, done, lostPages);
                left.entries.put(entry.getKey(), child);
                left.forcedEntries.put(entry.getKey(), child);
            }
        }
        return left;
    }
}
