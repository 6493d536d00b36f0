/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * What the coordinator told about one acknowledged write.
 *
 * @param timestampMicros the write's Cassandra timestamp, which the coordinator chose; {@code WRITETIME} gives the same
 *     number
 */
public record WriteInfo(long timestampMicros) {

    /**
     * What is told about the write that gave this execution info; empty if MeteorShower did not serve it or it was no
     * write.
     *
     * @throws MalformedPayloadException if the response's entry cannot be understood
     */
    public static Optional<WriteInfo> of(ExecutionInfo executionInfo) {
        Map<String, ByteBuffer> payload = executionInfo.getIncomingPayload();
        return payload.containsKey(PayloadKeys.TIMESTAMP)
                ? Optional.of(new WriteInfo(Payload.micros(payload, PayloadKeys.TIMESTAMP)))
                : Optional.empty();
    }
}
