/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.testcontainers.MeteorShowerCluster.dcs;
import static org.meteorshower.testcontainers.MeteorShowerCluster.oneWay;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;

/** The image, as applications' tests use it. */
@ExtendWith(NeedsImage.class)
class MeteorShowerClusterIT {
    private static final Duration ONE_WAY = ofMillis(50);

    /** The nodes look at the network's file ten times a second; the rest is for a busy machine. */
    private static final Duration FOLLOWED_WITHIN = Duration.ofSeconds(1);

    private static final String READ = "SELECT items FROM shop.cart WHERE id = 'a'";

    private static final MeteorShowerCluster cluster =
            new MeteorShowerCluster(dcs("eu", "us", "asia"), oneWay(ONE_WAY));

    @BeforeAll
    static void start() {
        cluster.start();
        cluster.createKeyspace("shop");
        cluster.cql("eu").execute("CREATE TABLE shop.cart (id text PRIMARY KEY, items text)");
        cluster.enable("shop", "cart", "");
    }

    @AfterAll
    static void stop() {
        cluster.stop();
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
    void aDataCentreThatIsCutOffCannotWriteAndTheOthersCan() throws Exception {
        cluster.cutOff("asia");
        try {
            cluster.session("eu").execute("INSERT INTO shop.cart (id, items) VALUES ('cut', 'eu')");
            Thread.sleep(FOLLOWED_WITHIN.toMillis());
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
