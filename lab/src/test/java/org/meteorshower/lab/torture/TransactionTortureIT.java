/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** A short run on real nodes. Takes two minutes, so only where asked for: {@code -Dlong.tests=true}. */
@LongTest
final class TransactionTortureIT {
    @Test
    void nothingIsWrongAfterDeathsCutsAndPauses(@TempDir Path folder) throws Exception {
        TransactionTortureOptions options = new TransactionTortureOptions(
                new TortureOptions(
                        ClusterOptions.builder()
                                .delaysMillis(List.of(10.0))
                                .firstAddress(FreeAddress.next())
                                .cassandraOptions(
                                        Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"))
                                .build(),
                        Duration.ofSeconds(60),
                        1,
                        List.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.CUT, FaultKind.OUTAGE),
                        folder.resolve("torture.svg"),
                        null),
                new TortureLoad(1, 9, 16, 100));
        Display display = new Display(new PrintWriter(System.out, true, StandardCharsets.UTF_8), false);

        TransactionTortureResult result = new TransactionTorture(Installation.locate(), options, display).run();

        TransactionTortureReport.of(result).lines().forEach(System.out::println);
        assertThat(result.wrong()).isEmpty();
        assertThat(result.verdict().findings()).isEmpty();
        assertThat(result.count(TransactionOutcome.Status.COMMIT)).isGreaterThan(200);
        assertThat(result.snapshots()).isPositive();
        assertThat(result.figures().spans()).isNotEmpty();
        assertThat(Files.size(folder.resolve("torture.svg"))).isPositive();
    }
}
