/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.bench.plan.Presets;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;

final class HistogramFilesTest {
    @TempDir
    private Path folder;

    @Test
    void theMaximumBesideEachLoggedHistogramIsInMilliseconds() throws IOException {
        RunResult run = BenchSamples.result(Presets.preset("quick")).runs().get(0);
        HistogramFiles.write(run, folder);

        String line = Files.readAllLines(folder.resolve(HistogramFiles.stem(run.run()) + ".hlog")).stream()
                .filter(each -> each.startsWith("Tag=read"))
                .findFirst()
                .orElseThrow();
        double most = run.windows().get(0).of(Op.READ).getMaxValue() / 1_000.0;
        assertThat(Double.parseDouble(line.split(",")[3])).isCloseTo(most, org.assertj.core.data.Offset.offset(0.01));
    }

    @Test
    void aFileThatCouldNotBeWrittenIsAnError() throws IOException {
        Path file = folder.resolve("full.hgrm");
        try (PrintStream full = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int octet) throws IOException {
                        throw new IOException("no space left");
                    }
                },
                true,
                StandardCharsets.UTF_8)) {
            full.println("something");
            assertThatThrownBy(() -> HistogramFiles.requireWritten(full, file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("could not write all of " + file);
        }
    }
}
