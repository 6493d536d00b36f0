/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.meteorshower.testcontainers.MeteorShowerCluster.dcs;
import static org.meteorshower.testcontainers.MeteorShowerCluster.oneWay;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.github.dockerjava.api.exception.NotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.testcontainers.DockerClientFactory;

/** The image, as applications' tests use it. Skipped where there is no Docker engine, or no image in it. */
class MeteorShowerClusterIT {
    private static final Duration ONE_WAY = ofMillis(50);
    private static final String READ = "SELECT items FROM shop.cart WHERE id = 'a'";

    private static final MeteorShowerCluster cluster =
            new MeteorShowerCluster(dcs("eu", "us", "asia"), oneWay(ONE_WAY));

    @BeforeAll
    static void start() {
        assumeTrue(
                DockerClientFactory.instance().isDockerAvailable(),
                "no Docker engine answers, so the image is not tested: docs/CONTAINERS.md");
        assumeTrue(
                imageIsThere(),
                "the Docker engine has no image " + MeteorShowerCluster.DEFAULT_IMAGE
                        + ": build it with ./meteor image");
        cluster.start();
        cluster.createKeyspace("shop");
        cluster.cql("eu").execute("CREATE TABLE shop.cart (id text PRIMARY KEY, items text)");
        cluster.enable("shop", "cart", "");
    }

    @AfterAll
    static void stop() {
        cluster.stop();
    }

    private static boolean imageIsThere() {
        try {
            DockerClientFactory.lazyClient()
                    .inspectImageCmd(MeteorShowerCluster.DEFAULT_IMAGE)
                    .exec();
            return true;
        } catch (NotFoundException e) {
            return false;
        }
    }

    @Test
    void aSessionFindsInAsiaWhatItWroteInEurope() {
        MeteorShowerSession session = cluster.session();
        session.execute("INSERT INTO shop.cart (id, items) VALUES ('moves', 'tea')");

        session.moveTo("asia");

        assertThat(session.execute("SELECT items FROM shop.cart WHERE id = 'moves'")
                        .one()
                        .getString("items"))
                .isEqualTo("tea");
    }

    @Test
    void writesCrossTheDistanceAndReadsDoNot() {
        MeteorShowerSession session = cluster.session("us");
        List<Long> writesNanos = new ArrayList<>();
        List<Long> readsNanos = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            long began = System.nanoTime();
            session.execute("INSERT INTO shop.cart (id, items) VALUES ('a', 'tea')");
            long written = System.nanoTime();
            ResultSet rows = session.execute(READ);
            long read = System.nanoTime();
            assertThat(ReadInfo.of(rows.getExecutionInfo())).isPresent();
            writesNanos.add(written - began);
            readsNanos.add(read - written);
        }

        // The least of each: a machine that stands still for a moment proves nothing.
        assertThat(Collections.min(writesNanos)).isGreaterThanOrEqualTo(2 * ONE_WAY.toNanos());
        assertThat(Collections.min(readsNanos)).isLessThan(ONE_WAY.toNanos());
    }

    @Test
    void aDataCentreThatIsCutOffCannotWriteAndTheOthersCan() {
        cluster.cutOff("asia");
        try {
            cluster.session("eu").execute("INSERT INTO shop.cart (id, items) VALUES ('cut', 'eu')");
            assertThatThrownBy(() ->
                            cluster.session("asia").execute("INSERT INTO shop.cart (id, items) VALUES ('cut', 'asia')"))
                    .isInstanceOf(RuntimeException.class);
        } finally {
            cluster.rejoin("asia");
        }
    }

    @Test
    void anImageThatIsNotThereIsNamedTogetherWithTheCure() {
        try (MeteorShowerCluster other =
                new MeteorShowerCluster(dcs("eu"), oneWay(ofMillis(0))).withImage("meteorshower:no-such-tag")) {
            assertThatThrownBy(other::start)
                    .hasStackTraceContaining("there is no image meteorshower:no-such-tag")
                    .hasStackTraceContaining("./meteor image");
        }
    }
}
