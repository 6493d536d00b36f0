/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NodeProcessTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private Process sleeper;

    @BeforeEach
    void startSleeper() throws Exception {
        sleeper = new ProcessBuilder("sleep", "60").start();
    }

    @AfterEach
    void endSleeper() throws Exception {
        sleeper.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
    }

    @Test
    void aRecycledProcessNumberIsNotOurProcessAndIsNeverKilled() throws Exception {
        NodeProcess mistaken = new NodeProcess(sleeper.pid(), "12345@an-earlier-boot");
        assertThat(mistaken.isAlive()).isFalse();
        mistaken.signal("KILL");
        Stopping.atOnce(List.of(mistaken));
        Stopping.gracefully(List.of(mistaken));
        assertThat(sleeper.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void aProcessIsPausedResumedAndKilled() {
        NodeProcess process = NodeProcess.of(sleeper.pid());
        assertThat(process.isAlive()).isTrue();
        // Linux counts memory for each core by itself; the sum of a process that has just begun may still be 0.
        assertThat(Waiting.until(SOON, () -> process.residentBytes() > 0)).isTrue();
        process.signal("STOP");
        assertThat(Waiting.until(SOON, process::isPaused)).isTrue();
        process.signal("CONT");
        assertThat(Waiting.until(SOON, () -> !process.isPaused())).isTrue();
        Stopping.atOnce(List.of(process));
        assertThat(process.isAlive()).isFalse();
        assertThat(process.residentBytes()).isZero();
    }

    @Test
    void aPausedProcessIsStoppedGracefullyToo() {
        NodeProcess process = NodeProcess.of(sleeper.pid());
        process.signal("STOP");
        long started = System.nanoTime();
        Stopping.gracefully(List.of(process));
        assertThat(process.isAlive()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .as("it is not waited for until it is killed")
                .isLessThan(Duration.ofSeconds(9));
    }

    @Test
    void whatDoesNotListenIsKilled() throws Exception {
        Process deaf = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done").start();
        try {
            assertThat(deaf.getInputStream().read()).isEqualTo('r');
            NodeProcess process = NodeProcess.of(deaf.pid());
            Stopping.gracefully(List.of(process), Duration.ofMillis(300));
            assertThat(process.isAlive()).isFalse();
        } finally {
            deaf.destroyForcibly();
        }
    }
}
