/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.audit.AuditLogContext;
import org.apache.cassandra.audit.AuditLogEntryType;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.SyntaxException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;

/**
 * What a client says of its sessions: {@code OPEN TRANSACTION SESSION}, {@code OPEN TRANSACTION SESSION OF 'eu,us'},
 * and {@code RESOLVE TRANSACTION number OF SESSION 'name'}. Thread-safe.
 */
public final class SessionStatement implements CQLStatement {
    private static final Pattern OPEN = Pattern.compile(
            "\\s*+OPEN\\s++TRANSACTION\\s++SESSION(?:\\s++OF\\s++'([^']{1,4000}+)')?+\\s*+;?+\\s*+", flags());
    private static final Pattern RESOLVE = Pattern.compile(
            "\\s*+RESOLVE\\s++TRANSACTION\\s++(\\d{1,18}+)\\s++OF\\s++SESSION\\s++'([^']{1,200}+)'\\s*+;?+\\s*+",
            flags());

    private final @Nullable String group;
    private final @Nullable String session;
    private final long sequence;

    private SessionStatement(@Nullable String group, @Nullable String session, long sequence) {
        this.group = group;
        this.session = session;
        this.sequence = sequence;
    }

    private static int flags() {
        return Pattern.CASE_INSENSITIVE;
    }

    /** Whether this is the text of one: cheap, asked for every statement. */
    public static boolean isOne(String text) {
        return Beginning.isAboutSessions(text);
    }

    /** @throws SyntaxException saying how it is written */
    public static SessionStatement parse(String text) {
        Matcher open = OPEN.matcher(text);
        if (open.matches()) {
            return new SessionStatement(open.group(1), null, 0);
        }
        Matcher resolve = RESOLVE.matcher(text);
        if (resolve.matches() && Long.parseLong(resolve.group(1)) > 0) {
            return new SessionStatement(null, resolve.group(2), Long.parseLong(resolve.group(1)));
        }
        throw new SyntaxException(
                "MeteorShower: write OPEN TRANSACTION SESSION [OF '<data centre>,...'], or RESOLVE TRANSACTION <number, from 1>"
                        + " OF SESSION '<name>', without comments and bind markers");
    }

    public static InvalidRequestException notPrepared() {
        return Errors.invalid("OPEN and RESOLVE TRANSACTION are not prepared: send them as they are");
    }

    /** The data centres of whose group one is to be opened, joined by commas; null where that is not said. */
    @Nullable
    String group() {
        return group;
    }

    /** Of the session whose number is to be resolved; null where one is to be opened. */
    @Nullable
    String session() {
        return session;
    }

    long sequence() {
        return sequence;
    }

    @Override
    public void authorize(ClientState client) {
        client.validateLogin();
    }

    @Override
    public void validate(ClientState client) {
        // what can be wrong with it is seen where it is parsed or run
    }

    @Override
    public ResultMessage execute(QueryState state, QueryOptions options, Dispatcher.RequestTime requestTime) {
        throw Errors.invalid("this path of Cassandra's knows no sessions: send the statement as a query");
    }

    @Override
    public ResultMessage executeLocally(QueryState state, QueryOptions options) {
        throw Errors.invalid("sessions are not a single node's");
    }

    @Override
    public AuditLogContext getAuditLogContext() {
        return new AuditLogContext(AuditLogEntryType.SELECT);
    }
}
