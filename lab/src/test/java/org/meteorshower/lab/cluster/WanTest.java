/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WanTest {
    @TempDir
    private Path folder;

    @Test
    void aNewClusterHasTheDelaysItWasAskedForBothWays() {
        WanMatrix matrix = WanMatrix.of(ClusterOptions.builder()
                .delaysMillis(List.of(50.0, 75.0, 120.5))
                .jitterMillis(2)
                .lossFraction(0.001)
                .build());
        assertThat(matrix.settings())
                .containsEntry("delay.eu.us", "50")
                .containsEntry("delay.us.eu", "50")
                .containsEntry("delay.asia.eu", "120.5")
                .containsEntry("jitter.us.asia", "2")
                .containsEntry("loss.eu.us", "0.001")
                .hasSize(18);
    }

    @Test
    void nothingIsWrittenForWhatIsZero() {
        assertThat(WanMatrix.EMPTY
                        .withLink("eu", "us", 0, 0, 0)
                        .withClock("127.0.0.1", 0)
                        .settings())
                .isEmpty();
    }

    @Test
    void aCutHasADirectionAndHealingKeepsTheDelay() {
        WanMatrix cut = WanMatrix.EMPTY.withLink("eu", "us", 50, 0, 0).withCut("eu", "us", true);
        assertThat(cut.isCut("eu", "us")).isTrue();
        assertThat(cut.isCut("us", "eu")).isFalse();
        assertThat(cut.withoutCuts().settings()).containsOnlyKeys("delay.eu.us");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Wan wan = new Wan(folder.resolve("wan.properties"));
        assertThat(wan.matrix().settings()).isEmpty();
        wan.change(m -> m.withLink("eu", "us", 50.25, 1, 0.01).withClock("127.0.0.2", -60_000));
        WanMatrix read = new Wan(wan.file()).matrix();
        assertThat(read.delayMillis("eu", "us")).isEqualTo(50.25);
        assertThat(read.jitterMillis("eu", "us")).isEqualTo(1);
        assertThat(read.lossFraction("eu", "us")).isEqualTo(0.01);
        assertThat(read.clockMillis("127.0.0.2")).isEqualTo(-60_000);
    }

    @Test
    void aReaderNeverSeesHalfAChange() throws Exception {
        Wan wan = new Wan(folder.resolve("wan.properties"));
        wan.change(m -> m.withLink("eu", "us", 1, 1, 0));
        AtomicBoolean done = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int i = 2; i < 300; i++) {
                int value = i;
                wan.change(m -> m.withLink("eu", "us", value, value, 0));
            }
            done.set(true);
        });
        writer.start();
        while (!done.get()) {
            Properties seen = new Properties();
            seen.load(new StringReader(Files.readString(wan.file())));
            assertThat(seen.getProperty("delay.eu.us")).isNotNull().isEqualTo(seen.getProperty("jitter.eu.us"));
        }
        writer.join(60_000);
    }

    @Test
    void changesOfSeveralWritersAddUp() throws Exception {
        Wan one = new Wan(folder.resolve("wan.properties"));
        Wan other = new Wan(folder.resolve("wan.properties"));
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                String to = "a" + i;
                other.change(m -> m.withCut("x", to, true));
            }
        });
        thread.start();
        for (int i = 0; i < 100; i++) {
            String to = "b" + i;
            one.change(m -> m.withCut("x", to, true));
        }
        thread.join(60_000);
        assertThat(one.matrix().settings()).hasSize(200);
    }
}
