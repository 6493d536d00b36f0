/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.exceptions.IsBootstrappingException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.read.Fetches;
import org.meteorshower.cassandra.read.PartitionFetch;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.read.RowsAsked;
import org.meteorshower.cassandra.read.ScanFetch;
import org.meteorshower.cassandra.read.ScanRules;
import org.meteorshower.cassandra.read.SelectRunner;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.tables.TableOptions.Ranges;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/** SELECTs from enabled tables: which are served at a cut, which pass, which are refused. Thread-safe. */
public final class ReadHandler implements Handler {
    private static final String OPERATION = "read";

    private final ServedTables tables;
    private final SelectRunner runner;
    private final PartitionFetch fetch;
    private final ScanFetch scans;

    public ReadHandler(ServedTables tables, SelectRunner runner, PartitionFetch fetch, ScanFetch scans) {
        this.tables = tables;
        this.runner = runner;
        this.fetch = fetch;
        this.scans = scans;
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        if (request.statement() instanceof SelectStatement select && isServed(select, request.level())) {
            return () -> serve(select, request);
        }
        return null;
    }

    /** Whether the SELECT is one for MeteorShower to answer, with rows or with a refusal; else it is Cassandra's. */
    private boolean isServed(SelectStatement select, @Nullable ConsistencyLevel asked) {
        TableOptions table = tables.optionsOf(select.table);
        if (table == null || asked == null) {
            return false;
        }
        boolean level = asked == ConsistencyLevel.QUORUM
                || (asked == ConsistencyLevel.ALL && table.writeQuorum() == WriteQuorum.ONE);
        return level && !(table.ranges() == Ranges.CASSANDRA && !namesPartitions(select));
    }

    private static boolean namesPartitions(SelectStatement select) {
        StatementRestrictions restrictions = select.getRestrictions();
        return !restrictions.isKeyRange() && !restrictions.usesSecondaryIndexing() && !restrictions.isTopK();
    }

    private ResultMessage serve(SelectStatement select, ClientRequest request) {
        request.admit();
        try {
            return read(select, request, tables.sessionOf(request));
        } catch (RuntimeException e) {
            tables.note(OPERATION, select.table, e);
            throw e;
        }
    }

    private ResultMessage read(SelectStatement select, ClientRequest request, Session session) {
        ConsistencyLevel level = request.options().getConsistency();
        ClientState client = request.client();
        Guardrails.readConsistencyLevels.guard(EnumSet.of(level), client);
        refuseUnservable(select, request.only(), session.mode(), level);
        boolean unmask = !select.table.hasMaskedColumns() || client.hasTablePermission(select.table, Permission.UNMASK);
        ReadTerms terms = new ReadTerms(
                session.tokenMicros(), session.mode(), request.time().computeDeadline(timeoutNanos(select)));
        Fetches fetches = new Fetches(fetch, scans, terms);
        ReadMetrics metrics =
                new ReadMetrics(level, select.table, tables.measured().reads(select.table, session.mode()));
        try {
            ResultMessage rows = fetches.rowsOf(new RowsAsked(select, request.only(), client, unmask), runner);
            tables.refuseWhenGone(level); // one that left the ring meanwhile may have missed what came after
            trace(fetches, strictly(select.table, session));
            metrics.served(fetches);
            session.answerRead(rows, fetches.sum(), fetches.latestCutMicros(), fetches.elsewhere());
            return rows;
        } catch (RequestRefusedException e) {
            Tracing.trace("MeteorShower: not served: {}", e.getMessage());
            throw metrics.failed(Refusal.of(e, level, 1));
        } catch (StoppedException e) {
            throw metrics.failed(Refusal.stopped(e, level));
        } finally {
            metrics.done();
        }
    }

    private static long timeoutNanos(SelectStatement select) {
        return namesPartitions(select)
                ? DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS)
                : DatabaseDescriptor.getRangeRpcTimeout(TimeUnit.NANOSECONDS);
    }

    private void refuseUnservable(SelectStatement select, QueryOptions options, ReadMode mode, ConsistencyLevel level) {
        if (!namesPartitions(select)) {
            refuseUnservableScan(select, options, mode, level);
        }
        if (tables.isBootstrapping()) {
            throw new IsBootstrappingException();
        }
        tables.refuseUnservable(select.table, level);
    }

    private void refuseUnservableScan(
            SelectStatement select, QueryOptions options, ReadMode mode, ConsistencyLevel level) {
        TableOptions table = tables.optionsOf(select.table);
        if (table == null || table.ranges() != Ranges.SERVED) {
            throw Refusal.refused("at " + level + ", reads of " + select.table
                    + " must name their partitions (= or IN on the whole partition key). Name them, read at"
                    + " LOCAL_QUORUM or ONE with Cassandra's own guarantees, have scans served at one cut a page (UPDATE"
                    + " meteorshower.tables SET options = 'ranges=served' WHERE ...), or let scans at " + level
                    + " go to Cassandra (ranges=cassandra)");
        }
        String obstacle = ScanRules.obstacle(select, options, mode);
        if (obstacle != null) {
            throw Refusal.refused("at " + level + ", this scan of " + select.table + " cannot be served, since "
                    + obstacle + ". Or read at LOCAL_QUORUM or ONE with Cassandra's own guarantees");
        }
    }

    private String strictly(TableMetadata table, Session session) {
        TableOptions options = tables.optionsOf(table);
        return !session.isStrict() || options == null
                ? ""
                : options.strict() == TableOptions.Strict.HOME ? ", strictly by leases," : ", strictly by clocks,";
    }

    private static void trace(Fetches fetches, String strictly) {
        ReadInfo info = fetches.sum();
        if (Tracing.isTracing() && info != null) {
            Tracing.trace(
                    "MeteorShower: served {}{}{} at cut {}, {} ms behind the clock",
                    info.served(),
                    fetches.elsewhere() ? " by another replica" : "",
                    strictly,
                    info.cutMicros(),
                    info.stalenessMicros() / 1_000.0);
            if (info.served() == Served.OLDER) {
                Tracing.trace("MeteorShower: a newer cut was covered; a write of the row was in flight there");
            }
        }
    }
}
