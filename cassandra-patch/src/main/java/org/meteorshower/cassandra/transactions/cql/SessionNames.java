/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientState;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.token.Seal;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.transactions.log.SessionId;

/**
 * Sessions' names as clients carry them: opaque, and good for the role that opened the session only. Who could use
 * another's session could use up its numbers, so that the other is told of a transaction that it never sent, and could
 * read its results. Stateless.
 */
final class SessionNames {
    private static final int PARTS = 3;

    private SessionNames() {}

    /** @param group of lanes, of which the session is */
    record Named(int group, SessionId id) {}

    static String name(Named session, Seal seal, ClientState client) {
        SessionId id = session.id;
        String place = id.lane() + "." + id.position() + "." + id.index();
        return seal.seal(session.group == LaneGroup.WHOLE ? place : place + "." + session.group, roleOf(client));
    }

    /** @throws InvalidRequestException if this role has not been given this name */
    static Named session(String name, Seal seal, ClientState client) {
        try {
            String[] parts = seal.open(name, roleOf(client)).split("\\.", -1);
            return new Named(
                    parts.length == PARTS ? LaneGroup.WHOLE : Integer.parseInt(parts[PARTS]),
                    new SessionId(Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2])));
        } catch (BadTokenException e) {
            throw Errors.invalid("'" + name + "' is no session of yours: " + e.getMessage()
                    + ". OPEN TRANSACTION SESSION gives the name of a new one");
        }
    }

    private static String roleOf(ClientState client) {
        @Nullable AuthenticatedUser user = client.getUser();
        return user == null ? "" : user.getName();
    }
}
