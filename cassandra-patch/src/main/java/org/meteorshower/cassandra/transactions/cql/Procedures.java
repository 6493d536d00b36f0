/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.auth.FunctionResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.exceptions.CasWriteTimeoutException;
import org.apache.cassandra.exceptions.CasWriteUnknownResultException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers procedures, and makes transactions of calls. What is registered under a name and a version never changes,
 * so a node may keep what it has read; only that it was dropped is to be looked for again. Thread-safe; blocks where
 * the store is asked.
 */
public final class Procedures implements Handler {
    private static final Logger log = LoggerFactory.getLogger(Procedures.class);

    /** So old may be what this node knows before it looks again, while it goes on with that. */
    static final long LOOK_AGAIN_NANOS = 5_000_000_000L;

    /** What those that are kept take together, unless it is said. */
    private static final long MOST_BYTES = 32 << 20;

    /** What a compiled one is taken to take, by the character, and beside its text. */
    private static final int BYTES_PER_CHAR = 24;

    private static final int BYTES_EACH = 4_096;

    private final @Nullable ProcedureStore store;
    private final Predicate<TableMetadata> takesPart;
    private final Executor background;
    private final LongSupplier nanos;
    private final long mostBytes;

    /** The one used longest ago first. Guarded by itself. */
    private final LinkedHashMap<ProcedureId, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /** What a node has read. */
    private static final class Known {
        final Procedure procedure;

        /** Guarded by the map. */
        long lookedNanos;

        /** Guarded by the map: one look at a time. */
        boolean looking;

        Known(Procedure procedure, long lookedNanos) {
            this.procedure = procedure;
            this.lookedNanos = lookedNanos;
        }

        long bytes() {
            return BYTES_EACH + (long) BYTES_PER_CHAR * procedure.text().length();
        }
    }

    /** With room for 32 MB. */
    public Procedures(
            @Nullable ProcedureStore store,
            Predicate<TableMetadata> takesPart,
            Executor background,
            LongSupplier nanos) {
        this(store, takesPart, background, nanos, MOST_BYTES);
    }

    /**
     * @param store null where transactions are not configured
     * @param background where the store is asked once more; what it has no room for is asked later
     * @param nanos elapsed time
     * @param mostBytes that those which are kept take together; one of any size is kept
     */
    public Procedures(
            @Nullable ProcedureStore store,
            Predicate<TableMetadata> takesPart,
            Executor background,
            LongSupplier nanos,
            long mostBytes) {
        this.store = store;
        this.takesPart = takesPart;
        this.background = background;
        this.nanos = nanos;
        this.mostBytes = mostBytes;
    }

    /** What those that are kept take. */
    public long bytes() {
        synchronized (known) {
            return bytes;
        }
    }

    /** Whether this is the text of a call: cheap, asked for every statement. */
    public static boolean isCall(String text) {
        return Beginning.isCall(text);
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        if (!(request.statement() instanceof ProcedureStatement statement)) {
            return null;
        }
        return () -> {
            statement.authorize(request.client());
            return run(statement, request.client());
        };
    }

    /** The caller has authorized the statement. */
    ResultMessage run(ProcedureStatement statement, ClientState client) {
        ProcedureSyntax.Change change = statement.change();
        try {
            if (change.body() == null) {
                drop(change);
            } else {
                register(change.id(), change.body().strip(), client);
            }
        } catch (CasWriteTimeoutException | CasWriteUnknownResultException e) {
            throw Outcomes.repeatable("whether procedure " + change.id() + " was "
                    + (change.body() == null ? "dropped" : "registered") + " is not known (" + e.getMessage()
                    + "). Send the statement again: done twice it does no harm.");
        }
        return new ResultMessage.Void();
    }

    private void register(ProcedureId id, String text, ClientState client) {
        ProcedureStore kept = requireStore();
        if (Schema.instance.getKeyspaceMetadata(id.keyspace()) == null) {
            throw Errors.invalid("there is no keyspace '" + id.keyspace() + "' for procedure " + id);
        }
        Procedure compiled = Procedure.compile(id, text);
        compiled.plan().validate(client);
        compiled.plan().tables().forEach(table -> Transactions.requirePart(table, takesPart));
        requireOneGroup(id, compiled.plan().tables());
        AuthenticatedUser user = client.getUser();
        switch (kept.register(id, text, user == null ? "" : user.getName())) {
            case NOW, BEFORE -> put(compiled);
            case WITH_ANOTHER_TEXT ->
                throw Errors.invalid(
                        "procedure " + id + " is, or was, registered with another text, and a version's text"
                                + " never changes: nodes and clients go by it. Give the new text a version of its own");
            case TOO_MANY ->
                throw Errors.invalid("keyspace '" + id.keyspace()
                        + "' has too many procedures: drop versions that nobody" + " calls any more");
        }
    }

    private static void requireOneGroup(ProcedureId id, List<TableMetadata> tables) {
        long groups = tables.stream().map(TransactionTables::group).distinct().count();
        if (groups > 1) {
            throw Errors.invalid("procedure " + id + " names tables that take part in different data centres (" + tables
                    + "; lane_group in meteorshower.tables shows which): a transaction cannot be of both");
        }
    }

    private void drop(ProcedureSyntax.Change change) {
        boolean there = requireStore().drop(change.id());
        synchronized (known) {
            remove(change.id());
        }
        if (!there && !change.ifExists()) {
            throw unknown(change.id());
        }
    }

    /**
     * The transaction that a call is.
     *
     * @throws RequestValidationException if there is no such procedure, it cannot run any more, or the arguments do not
     *     fit it
     */
    public TransactionStatement call(String text, ClientState client) {
        ProcedureSyntax.Call written = ProcedureSyntax.call(text, client.getRawKeyspace());
        ensureMayCall(client, written.id());
        Procedure procedure = find(written.id());
        return new TransactionStatement(text, ProcedureCall.plan(procedure, written, text), this, procedure);
    }

    static void ensureMayCall(ClientState client, ProcedureId id) {
        client.ensurePermission(Permission.EXECUTE, FunctionResource.keyspace(id.keyspace()));
    }

    /** Whether a prepared call of it may still be executed, as far as this node knows. Does not block. */
    boolean isStillThere(Procedure procedure) {
        Known there = lookUp(procedure.id());
        return there != null && there.procedure.text().equals(procedure.text());
    }

    private Procedure find(ProcedureId id) {
        Known there = lookUp(id);
        if (there != null && there.procedure.isCurrent()) {
            return there.procedure;
        }
        String text = there == null ? requireStore().text(id) : there.procedure.text();
        if (text == null) {
            throw unknown(id);
        }
        return put(compiledAgain(id, text));
    }

    private static Procedure compiledAgain(ProcedureId id, String text) {
        try {
            return Procedure.compile(id, text);
        } catch (RequestValidationException e) {
            throw Errors.invalid(
                    "procedure " + id + " does not fit its tables any more, which have changed since it was"
                            + " registered: "
                            + String.valueOf(e.getMessage()).replaceFirst("^MeteorShower: ", "")
                            + ". Register a version that does");
        }
    }

    private @Nullable Known lookUp(ProcedureId id) {
        long now = nanos.getAsLong();
        Known there;
        synchronized (known) {
            there = known.get(id);
            if (there == null || there.looking || now - there.lookedNanos < LOOK_AGAIN_NANOS) {
                return there;
            }
            there.looking = true;
        }
        Known old = there;
        try {
            background.execute(() -> lookAgain(old));
        } catch (RejectedExecutionException e) {
            looked(old, true);
        }
        return there;
    }

    private void lookAgain(Known old) {
        boolean same = true; // what cannot be read now is called on: its text is right whatever happens
        try {
            same = old.procedure.text().equals(requireStore().text(old.procedure.id()));
        } catch (RequestExecutionException e) {
            log.debug("MeteorShower: procedure {} could not be looked for again", old.procedure.id(), e);
        } finally {
            looked(old, same);
        }
    }

    private void looked(Known old, boolean same) {
        synchronized (known) {
            old.looking = false;
            old.lookedNanos = nanos.getAsLong();
            if (!same && known.get(old.procedure.id()) == old) {
                remove(old.procedure.id());
            }
        }
    }

    private Procedure put(Procedure compiled) {
        Known added = new Known(compiled, nanos.getAsLong());
        synchronized (known) {
            remove(compiled.id());
            known.put(compiled.id(), added);
            bytes += added.bytes();
            while (bytes > mostBytes && known.size() > 1) {
                remove(known.keySet().iterator().next());
            }
        }
        return compiled;
    }

    private void remove(ProcedureId id) {
        Known removed = known.remove(id);
        if (removed != null) {
            bytes -= removed.bytes();
        }
    }

    private ProcedureStore requireStore() {
        if (store == null) {
            throw Errors.invalid("there are no procedures at this node, since transactions are not configured: name the"
                    + " data centres that take part in transactions.data_centres in meteorshower.yaml");
        }
        return store;
    }

    private static InvalidRequestException unknown(ProcedureId id) {
        return Errors.invalid("there is no procedure " + id + ": it was not registered, or it was dropped. SELECT"
                + " keyspace_name, name, version FROM meteorshower_transactions.procedures shows what there is");
    }
}
