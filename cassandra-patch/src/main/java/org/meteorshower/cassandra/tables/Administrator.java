/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.jspecify.annotations.Nullable;

/** Who writes into a virtual table on this thread: Cassandra does not tell the table itself. */
public final class Administrator {
    private static final ThreadLocal<@Nullable ClientState> CURRENT = new ThreadLocal<>();

    private Administrator() {}

    public static void set(ClientState client) {
        CURRENT.set(client);
    }

    public static void clear() {
        CURRENT.remove();
    }

    /** The role that is at work, for the log. */
    public static String name() {
        ClientState client = CURRENT.get();
        AuthenticatedUser user = client == null ? null : client.getUser();
        return user == null ? "somebody" : user.getName();
    }

    /**
     * What concerns a node as a whole takes the permission to alter everything.
     *
     * @throws org.apache.cassandra.exceptions.UnauthorizedException if the client has it not
     */
    public static void ensureMayAlterAll() {
        ClientState client = CURRENT.get();
        if (client == null) {
            throw new InvalidRequestException("MeteorShower: its tables can be changed by CQL clients only");
        }
        client.ensureAllKeyspacesPermission(Permission.ALTER);
    }

    /**
     * Enabling a table changes its schema, so it takes the same permission.
     *
     * @throws org.apache.cassandra.exceptions.UnauthorizedException if the client may not alter the table
     */
    public static void ensureMayAlter(TableMetadata table) {
        ClientState client = CURRENT.get();
        if (client == null) {
            throw new InvalidRequestException("MeteorShower: its tables can be changed by CQL clients only");
        }
        client.ensureTablePermission(table, Permission.ALTER);
    }
}
