/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LoadErrorTest {
    private static final Node NODE = (Node) Proxy.newProxyInstance(
            LoadErrorTest.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "hashCode" -> 1;
                case "equals" -> proxy == arguments[0];
                case "toString" -> "a node";
                default -> null;
            });

    @Test
    void overloadedIsRefusedAndSentAgainAfterTheTimeTold() {
        LoadError error = LoadError.of(new OverloadedException(NODE, "the journal is full; try again in 750 ms"));

        assertThat(error).isEqualTo(new LoadError("OVERLOADED", true, Duration.ofMillis(750)));
    }

    @Test
    void aNodeThatTellsNoTimeIsAskedAgainAfterAWhile() {
        assertThat(LoadError.of(new OverloadedException(NODE)).pause()).isEqualTo(LoadError.PAUSE);
        assertThat(LoadError.of(new OverloadedException(NODE, "in 999999999 ms"))
                        .pause())
                .isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void whatTheOneNodeSaidIsSeenBehindTheDriversOwnWords() {
        AllNodesFailedException all = AllNodesFailedException.fromErrors(
                List.of(Map.entry(NODE, (Throwable) new OverloadedException(NODE, "in 20 ms"))));

        assertThat(LoadError.of(all).kind()).isEqualTo(LoadError.OVERLOADED);
        assertThat(LoadError.of(all).pause()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void whatNeverTookEffectIsRefusedAndTheRestUnknown() {
        assertThat(LoadError.of(new NoNodeAvailableException()).refused()).isTrue();
        assertThat(LoadError.of(new UnavailableException(NODE, ConsistencyLevel.QUORUM, 2, 1))
                        .refused())
                .isTrue();
        LoadError timeout = LoadError.of(new DriverTimeoutException("late"));
        assertThat(timeout.refused()).isFalse();
        assertThat(timeout.kind()).isEqualTo("DriverTimeoutException");
    }
}
