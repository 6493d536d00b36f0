/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.lab.LongTest;

/**
 * One node of three is not like the others: the two others serve, and it does no harm. Each test goes on from the last.
 */
@LongTest
@ExtendWith(ThreeNodes.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PeersIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static TestCluster cluster;

    @BeforeAll
    static void table() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("peers", "id int PRIMARY KEY, v int");
        ThreeNodes.assertServing("peers", "eu", "us", "asia");
    }

    @Test
    @Order(1)
    void aNodeWithAnotherSecretIsRefusedAndLogged() throws Exception {
        NodeLog eu = NodeLog.fromNowOn(cluster, "eu-1");
        NodeLog asia = NodeLog.fromNowOn(cluster, "asia-1");
        cluster.restart("asia-1", options -> plugin(options).put("transport.secret", "\"something else\""));
        // Each says so on its own: which one calls the other first is chance.
        eu.awaitWarning("shared secret differs");
        asia.awaitWarning("shared secret differs");
        ThreeNodes.assertServing("peers", "eu", "us");
        // It hears nothing, so it must not say anything that could be too old.
        MeteorShowerSession session = sessionOfAnother("eu", "asia");
        assertThatThrownBy(() -> session.execute("SELECT v FROM faults.peers WHERE id = 1"))
                .isInstanceOfAny(
                        ReadTimeoutException.class, // it has waited in vain for what the session has seen
                        UnavailableException.class, // it has not caught up with the table since its start
                        DriverTimeoutException.class); // the same, and the answer comes too late
    }

    @Test
    @Order(2)
    void aNodeWithoutThePluginServesOrdinaryTablesAndTheOthersGoOn() throws Exception {
        cluster.restart("asia-1", options -> options.put("plugin", false));
        ThreeNodes.assertServing("peers", "eu", "us");
        int newest = cluster.cql("eu")
                .execute(ThreeNodes.quorum("SELECT v FROM faults.peers WHERE id = 1"))
                .one()
                .getInt(0);
        Waiting.until(SOON, () -> {
            Row row = cluster.cql("asia")
                    .execute(ThreeNodes.quorum("SELECT v FROM faults.peers WHERE id = 1"))
                    .one();
            assertThat(row.getInt(0)).isEqualTo(newest);
        });
        assertThatThrownBy(() -> cluster.stateOf("asia", "peers")).hasMessageContaining("meteorshower");
        // What it writes by itself, at a level that an enabled table would not take, is an ordinary write.
        cluster.cql("asia")
                .execute(ThreeNodes.quorum("INSERT INTO faults.peers (id, v) VALUES (2, 22)")
                        .setConsistencyLevel(ConsistencyLevel.ONE));
    }

    @Test
    @Order(3)
    void aNodeThatWasWithoutThePluginServesAgainByItself() throws Exception {
        cluster.restart("asia-1", options -> plugin(options).put("weak_writes", "raise"));
        NodeLog.of(cluster, "asia-1").awaitWarning("has run without the plugin");
        ThreeNodes.assertServing("peers", "eu", "us");
        cluster.awaitServed("peers");
        ThreeNodes.assertServing("peers", "eu", "us", "asia");
        for (String dc : cluster.dcs()) {
            // A stock driver has the order of its coordinator, which may learn of it a moment later.
            Waiting.until(SOON, () -> assertThat(cluster.cql(dc)
                            .execute(ThreeNodes.quorum("SELECT v FROM faults.peers WHERE id = 2"))
                            .one()
                            .getInt(0))
                    .isEqualTo(22));
        }
    }

    @Test
    @Order(4)
    void whereWeakWritesAreRaisedTheyAreReadElsewhereAtOnce() throws Exception {
        cluster.createEnabled("raised", "id int PRIMARY KEY, v int");
        MeteorShowerSession session = MeteorShowerSession.builder()
                .dataCentre("asia", cluster.cql("asia"))
                .dataCentre("eu", cluster.cql("eu"))
                .requireServed(true)
                .build();
        session.execute(ThreeNodes.quorum("INSERT INTO faults.raised (id, v) VALUES (1, 5)")
                .setConsistencyLevel(ConsistencyLevel.ONE));
        session.moveTo("eu");
        assertThat(session.execute("SELECT v FROM faults.raised WHERE id = 1")
                        .one()
                        .getInt(0))
                .isEqualTo(5);
        assertThatThrownBy(() -> session.execute(ThreeNodes.quorum("INSERT INTO faults.raised (id, v) VALUES (1, 6)")
                        .setConsistencyLevel(ConsistencyLevel.ONE)))
                .isInstanceOf(InvalidQueryException.class);
    }

    /** A session that has seen something in one data centre, and is in another now. */
    private static MeteorShowerSession sessionOfAnother(String seen, String now) {
        MeteorShowerSession session = MeteorShowerSession.builder()
                .dataCentre(seen, cluster.cql(seen))
                .dataCentre(now, cluster.cql(now))
                .build();
        session.execute("INSERT INTO faults.peers (id, v) VALUES (3, 33)");
        assertThat(ReadInfo.of(session.execute("SELECT v FROM faults.peers WHERE id = 3")
                        .getExecutionInfo()))
                .isPresent();
        session.moveTo(now);
        return session;
    }

    private static ObjectNode plugin(ObjectNode options) {
        return (ObjectNode) options.get("pluginOptions");
    }
}
