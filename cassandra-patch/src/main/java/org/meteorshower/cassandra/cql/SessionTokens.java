/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.apache.cassandra.exceptions.InvalidRequestException;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;

/**
 * Whose session a request belongs to. Thread-safe.
 *
 * @param shared of the clients that bring no token
 */
public record SessionTokens(TokenFormat format, CoordinatorToken shared) {
    /** @throws InvalidRequestException if the payload's token or mode makes no sense */
    Session of(ClientRequest request) {
        return Session.of(request.payload(), format, shared);
    }
}
