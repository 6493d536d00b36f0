/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * What the coordinator told about one read, or about one page of it.
 *
 * @param served how it was served
 * @param cutMicros the cut: the read returned the rows as of this hybrid logical time
 * @param stalenessMicros how far the cut lay behind the coordinator's clock; at least 0
 * @param forwarded whether another node has served it, or some of it: the coordinator is no replica, or lacks something
 */
public record ReadInfo(Served served, long cutMicros, long stalenessMicros, boolean forwarded) {
    /** A read that was not forwarded. */
    public ReadInfo(Served served, long cutMicros, long stalenessMicros) {
        this(served, cutMicros, stalenessMicros, false);
    }

    /**
     * What is told about the read that gave this execution info; empty if MeteorShower did not serve it (another
     * consistency level, a table that is not enabled, a coordinator without the plugin) or it was no read.
     *
     * @throws MalformedPayloadException if the response's entries cannot be understood
     */
    public static Optional<ReadInfo> of(ExecutionInfo executionInfo) {
        Map<String, ByteBuffer> payload = executionInfo.getIncomingPayload();
        String served = Payload.text(payload, PayloadKeys.SERVED);
        return served == null
                ? Optional.empty()
                : Optional.of(new ReadInfo(
                        Served.parse(served),
                        Payload.micros(payload, PayloadKeys.CUT),
                        Payload.micros(payload, PayloadKeys.STALENESS),
                        payload.containsKey(PayloadKeys.FORWARDED)));
    }

    /** {@link #stalenessMicros} as a duration. */
    public Duration staleness() {
        return Duration.of(stalenessMicros, ChronoUnit.MICROS);
    }
}
