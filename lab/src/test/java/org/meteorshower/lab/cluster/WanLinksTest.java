/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WanLinksTest {
    @TempDir
    private Path folder;

    private LocalCluster cluster;
    private WanLinks links;

    @BeforeEach
    void attachToAClusterWhoseNodesDoNotRun() {
        StateFile file = new StateFile(folder);
        file.write(NewCluster.admit(
                folder.resolve("none"), file, ClusterOptions.builder().build()));
        cluster = LocalCluster.attach(new Installation(folder), folder);
        links = new WanLinks(cluster);
    }

    @Test
    void aDelayHoldsBothWaysUnlessToldOneWay() {
        links.set("eu", "us", 80, 5, 0.001, false);
        links.set("eu", "us", 200, 0, 0, true);
        WanMatrix matrix = cluster.wan().matrix();
        assertThat(matrix.delayMillis("eu", "us")).isEqualTo(200);
        assertThat(matrix.jitterMillis("eu", "us")).isZero();
        assertThat(matrix.delayMillis("us", "eu")).isEqualTo(80);
        assertThat(matrix.lossFraction("us", "eu")).isEqualTo(0.001);
    }

    @Test
    void aDataCentreIsCutFromAllOthersAndJoinedAgain() {
        links.cut("asia", null, false);
        assertThat(cluster.wan().matrix().settings())
                .containsOnlyKeys("cut.asia.eu", "cut.asia.us", "cut.eu.asia", "cut.us.asia");
        links.heal();
        assertThat(cluster.wan().matrix().settings()).isEmpty();
    }

    @Test
    void aOneWayCutStopsOnlyWhatTheFirstSends() {
        links.cut("eu", "us", true);
        assertThat(cluster.wan().matrix().settings()).containsOnlyKeys("cut.eu.us");
    }

    @Test
    void aClockIsSetByTheAddressThatTheNodeKnowsOfItself() {
        links.clock("us-1", -60_000);
        assertThat(cluster.wan().matrix().settings()).containsEntry("clock.127.0.0.2", "-60000");
    }

    @Test
    void unknownNamesAreAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> links.cut("europe", null, false)).hasMessageContaining("they are eu, us, asia");
        assertThatThrownBy(() -> links.clock("us", 1)).hasMessageContaining("the nodes are eu-1, us-1, asia-1");
        assertThatThrownBy(() -> links.cut("eu", "eu", false)).hasMessageContaining("from itself");
        assertThatThrownBy(() -> links.set("eu", "us", -1, 0, 0, false)).hasMessageContaining("must be 0 to 60000 ms");
        assertThatThrownBy(() -> links.set("eu", "us", 1, 0, 1.5, false)).hasMessageContaining("must be 0 to 100 %");
    }
}
