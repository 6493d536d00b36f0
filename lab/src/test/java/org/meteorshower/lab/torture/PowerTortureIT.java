/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.power.PowerDisks;

/** Short runs on one real node: what is lost has no other replica. Skipped, with the reason, without the disks. */
@LongTest
final class PowerTortureIT {
    @BeforeEach
    void mountable() {
        PowerDisks.obstacle().ifPresent(reason -> abort(reason));
    }

    private static PowerResult run(CommitLog sync, int cuts) throws InterruptedException {
        PowerOptions options = new PowerOptions(
                ClusterOptions.builder()
                        .dcs(List.of("eu"))
                        .firstAddress(FreeAddress.next())
                        .cassandraOptions(Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"))
                        .build(),
                sync,
                sync != CommitLog.PERIODIC,
                new PowerDisks.Kind(false, List.of()),
                2,
                cuts,
                Duration.ofMinutes(5),
                Duration.ofSeconds(2));
        Display display = new Display(new PrintWriter(System.out, true, StandardCharsets.UTF_8), false);
        PowerResult result = new PowerTorture(Installation.locate(), options, display).run();
        PowerReport.lines(result).forEach(System.out::println);
        return result;
    }

    @Test
    void nothingThatWasAcknowledgedIsLost() throws InterruptedException {
        PowerResult result = run(CommitLog.BATCH, 4);

        assertThat(result.isRight()).isTrue();
        assertThat(result.ofAll()).isEqualTo(4);
        assertThat(result.forgottenPages()).isPositive();
        assertThat(result.acknowledged()).isPositive();
        assertThat(result.committed()).isPositive();
    }

    /** Else the disks forget nothing, and the run above proves nothing. */
    @Test
    void whatIsForcedOnlyNowAndThenIsSeenToBeLost() throws InterruptedException {
        PowerResult result = run(CommitLog.PERIODIC, 2);

        assertThat(result.isRight()).isTrue();
        assertThat(result.notes().lost).isNotEmpty();
        assertThat(result.committed()).isZero();
    }
}
