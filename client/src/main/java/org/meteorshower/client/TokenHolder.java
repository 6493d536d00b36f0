/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A session's token, which only ever grows. Thread-safe and lock-free. */
final class TokenHolder {

    private final AtomicReference<SessionToken> token = new AtomicReference<>(SessionToken.EMPTY);

    SessionToken current() {
        return Objects.requireNonNull(token.get());
    }

    void observe(SessionToken other) {
        token.accumulateAndGet(other, SessionToken::max);
    }

    /**
     * Merges the token of a response.
     *
     * @param sent the token that the request carried
     * @return whether there was one, and it is not of an answer on Cassandra's own path, except for a while
     * @throws MalformedPayloadException if it cannot be understood, or is older than the one sent: then the coordinator
     *     answered at a cut that this session had already passed
     */
    boolean observeResponse(ExecutionInfo info, SessionToken sent) {
        Map<String, ByteBuffer> payload = info.getIncomingPayload();
        ByteBuffer sequential = payload.get(PayloadKeys.TOKEN);
        ByteBuffer transactions = payload.get(PayloadKeys.TRANSACTIONS_TOKEN);
        if (sequential == null && transactions == null) {
            return false;
        }
        SessionToken received = SessionToken.parse(sequential, transactions);
        if ((sequential != null && received.isBehind(sent))
                || (transactions != null && received.isBehindInTransactions(sent))) {
            throw new MalformedPayloadException("Coordinator " + info.getCoordinator() + " answered with " + received
                    + " to a session at " + sent + ": it broke the session's order, take it out of service");
        }
        observe(received);
        ByteBuffer plain = payload.get(PayloadKeys.PLAIN);
        return plain == null || (plain.remaining() == 1 && plain.get(plain.position()) == PayloadKeys.FOR_A_WHILE);
    }
}
