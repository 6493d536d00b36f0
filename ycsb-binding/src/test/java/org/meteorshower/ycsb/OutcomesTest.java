/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.meteorshower.client.NotServedException;
import site.ycsb.Status;

final class OutcomesTest {
    static List<RuntimeException> afterWhichAWriteMayHaveTakenEffect() {
        return List.of(
                new WriteTimeoutException(null, DefaultConsistencyLevel.QUORUM, 1, 2, DefaultWriteType.SIMPLE),
                new DriverTimeoutException("no answer"),
                new ClosedConnectionException("lost"),
                new ServerError(null, "broken"),
                new OverloadedException(null),
                new IllegalStateException("never seen before"),
                AllNodesFailedException.fromErrors(List.of(Map.entry(aNode(), new ServerError(null, "first")))));
    }

    private static Node aNode() {
        return (Node) Proxy.newProxyInstance(
                Node.class.getClassLoader(),
                new Class<?>[] {Node.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == args[0];
                    default -> method.getName();
                });
    }

    @ParameterizedTest
    @MethodSource("afterWhichAWriteMayHaveTakenEffect")
    void aWriteOfUnknownOutcomeIsNeverOk(RuntimeException failure) {
        Status status = Outcomes.ofWrite(failure, !Outcomes.isWithoutEffect(failure));
        assertThat(status).isEqualTo(Outcomes.UNKNOWN_OUTCOME);
        assertThat(status.isOk()).isFalse();
    }

    @Test
    void aWriteThatCertainlyHadNoEffectSaysWhy() {
        assertThat(certain(new InvalidQueryException(null, "no such column"))).isEqualTo(Status.BAD_REQUEST);
        assertThat(certain(new UnauthorizedException(null, "no"))).isEqualTo(Status.FORBIDDEN);
        assertThat(certain(new UnavailableException(null, DefaultConsistencyLevel.QUORUM, 2, 1)))
                .isEqualTo(Status.SERVICE_UNAVAILABLE);
        assertThat(certain(new IllegalArgumentException("no name"))).isEqualTo(Status.BAD_REQUEST);
    }

    private static Status certain(RuntimeException failure) {
        return Outcomes.ofWrite(failure, !Outcomes.isWithoutEffect(failure));
    }

    @Test
    void aReadThatFailedIsAnError() {
        assertThat(Outcomes.ofRead(new ReadTimeoutException(null, DefaultConsistencyLevel.QUORUM, 1, 2, false)))
                .isEqualTo(Status.ERROR);
        assertThat(Outcomes.ofRead(new NotServedException("plain"))).isEqualTo(Status.UNEXPECTED_STATE);
        assertThat(Outcomes.ofRead(new OverloadedException(null))).isEqualTo(Status.SERVICE_UNAVAILABLE);
    }
}
