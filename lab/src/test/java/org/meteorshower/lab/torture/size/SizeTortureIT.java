/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;

/**
 * Small loads on real nodes: that the tool itself works, not that nodes hold. Takes minutes: {@code -Dlong.tests=true}.
 */
@LongTest
final class SizeTortureIT {
    @Test
    void smallLoadsWithADeathLoseNothing(@TempDir Path folder) throws Exception {
        SizeOptions options = new SizeOptions(
                ClusterOptions.builder()
                        .delaysMillis(List.of(5.0))
                        .firstAddress(FreeAddress.next())
                        .cassandraOptions(DiskPhase.STAYS_UP)
                        .build(),
                new Heaps(256, 512),
                Duration.ofSeconds(60),
                List.of(PhaseKind.BULK_DEATH, PhaseKind.OUTAGE),
                new BulkOptions(10, 4, 20, 1_000, 0),
                200,
                Duration.ofMinutes(5),
                null,
                folder);
        Display display = new Display(new PrintWriter(System.out, true, StandardCharsets.UTF_8), false);

        SizeResult result = new SizeTorture(Installation.locate(), options, display).run();

        assertThat(result.isRight()).as("%s", SizeReport.json(result)).isTrue();
        assertThat(result.phases())
                .allMatch(phase -> phase.bulk().rows() + phase.sequential().rows() > 1_000);
        assertThat(Files.size(folder.resolve("size.svg"))).isPositive();
    }
}
