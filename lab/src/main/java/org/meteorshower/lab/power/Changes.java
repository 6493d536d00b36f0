/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What was done to the folders of one disk, and to the lengths of its files, and is not on the platter yet; in order.
 * Not thread-safe.
 */
final class Changes {
    /** One name, or one length. */
    sealed interface Edit {
        void apply();
    }

    /** @param child null: the name is gone */
    record Name(Inode folder, String name, @Nullable Inode child) implements Edit {
        @Override
        public void apply() {
            if (child == null) {
                folder.forcedEntries.remove(name);
            } else {
                folder.forcedEntries.put(name, child);
            }
        }
    }

    /** The length of a file was set. */
    record Length(Inode file, long length) implements Edit {
        @Override
        public void apply() {
            if (file.content != null) {
                file.content.truncateForced(length);
            }
        }
    }

    /**
     * What reaches the platter together.
     *
     * @param concerned the file whose forcing, of its data alone, brings this there too; null where there is none
     */
    private record Change(List<Edit> edits, @Nullable Inode concerned) {}

    private final List<Change> pending = new ArrayList<>();

    void add(@Nullable Inode concerned, Edit... edits) {
        pending.add(new Change(List.of(edits), concerned));
    }

    boolean concern(Inode file) {
        return pending.stream().anyMatch(change -> change.concerned() == file);
    }

    /** All of them are on the platter. */
    void force() {
        pending.forEach(change -> change.edits().forEach(Edit::apply));
        pending.clear();
    }

    /** The names in one folder are on the platter, and no others. */
    void forceNames(Inode folder) {
        for (Iterator<Change> changes = pending.iterator(); changes.hasNext(); ) {
            Change change = changes.next();
            if (change.edits().stream().allMatch(edit -> edit instanceof Name name && name.folder() == folder)) {
                change.edits().forEach(Edit::apply);
                changes.remove();
            }
        }
    }

    /** The length of one file is on the platter. */
    void forceLength(Inode file) {
        pending.removeIf(change ->
                change.edits().stream().anyMatch(edit -> edit instanceof Length length && length.file() == file));
    }

    /**
     * The file system had written some of them by itself before the power went: the first ones.
     *
     * @return how many are lost
     */
    int loseAllBut(double share, Random random) {
        int kept = 0;
        while (kept < pending.size() && random.nextDouble() < share) {
            pending.get(kept++).edits().forEach(Edit::apply);
        }
        int lost = pending.size() - kept;
        pending.clear();
        return lost;
    }
}
