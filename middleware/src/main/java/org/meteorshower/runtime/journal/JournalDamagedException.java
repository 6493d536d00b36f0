/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.nio.file.Path;

/** A journal file is not what this node wrote. Nothing was changed on disk. */
public final class JournalDamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JournalDamagedException(Path file, long offset, String what) {
        super("the journal file " + file + " is damaged at byte " + offset + ": " + what
                + ". Without it this node does not know what it announced. Put the file back from a copy; or stop the node,"
                + " move the directory " + file.getParent()
                + " away, start it again, run a full repair of every enabled"
                + " table on it, and only then confirm it as repaired");
    }
}
