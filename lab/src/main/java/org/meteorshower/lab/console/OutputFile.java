/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that a command is asked to write when all is done: looked at before anything is begun. */
public final class OutputFile {
    private OutputFile() {}

    /**
     * The absolute path, or null where none was given. Throws {@link IllegalArgumentException} naming the option where
     * nothing can be written there.
     */
    public static @Nullable Path of(String option, @Nullable Path file) {
        if (file == null) {
            return null;
        }
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = absolute.getParent();
        boolean possible = folder != null
                && Files.isDirectory(folder)
                && !Files.isDirectory(absolute)
                && Files.isWritable(Files.exists(absolute) ? absolute : folder);
        if (!possible) {
            throw new IllegalArgumentException(
                    option + ": cannot write " + absolute + "; its folder must exist and be writable");
        }
        return absolute;
    }
}
