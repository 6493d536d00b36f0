/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.OutputFile;
import picocli.CommandLine.Option;

/** Where a command writes its figures for programs. */
public final class JsonArguments {
    @Option(names = "--json", paramLabel = "FILE", description = "write the figures to a file")
    private @Nullable Path json;

    /** Absolute; null: nowhere. Throws {@link IllegalArgumentException} where nothing can be written there. */
    public @Nullable Path file() {
        return OutputFile.of("--json", json);
    }
}
