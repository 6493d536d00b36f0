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
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.read.ReadService;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.ReadRefusedException;
import org.meteorshower.runtime.StoppedException;

/** SELECTs from enabled tables: which are served at a cut, which pass, which are refused. Thread-safe. */
public final class SelectService {
    private final EnabledTables enabled;
    private final ReadService reads;
    private final TableMetrics measured;

    public SelectService(EnabledTables enabled, ReadService reads, TableMetrics measured) {
        this.enabled = enabled;
        this.reads = reads;
        this.measured = measured;
    }

    /** Whether the SELECT is one for MeteorShower to answer, with rows or with a refusal; else it is Cassandra's. */
    boolean isServed(SelectStatement select, QueryOptions options) {
        TableOptions table = enabled.of(select.table.id);
        if (table == null || options.getConsistency() == null) {
            return false;
        }
        boolean level = options.getConsistency() == ConsistencyLevel.QUORUM
                || (options.getConsistency() == ConsistencyLevel.ALL && table.writeQuorum() == WriteQuorum.ONE);
        return level && !(table.cassandraRanges() && !namesPartitions(select));
    }

    private static boolean namesPartitions(SelectStatement select) {
        StatementRestrictions restrictions = select.getRestrictions();
        return !restrictions.isKeyRange() && !restrictions.usesSecondaryIndexing() && !restrictions.isTopK();
    }

    /** The caller has authorized and validated the statement. */
    ResultMessage serve(
            SelectStatement select, QueryState state, QueryOptions options, Session session, RequestTime requestTime) {
        ConsistencyLevel level = options.getConsistency();
        ClientState client = state.getClientState();
        Guardrails.readConsistencyLevels.guard(EnumSet.of(level), client);
        refuseUnservable(select, level);
        boolean unmask = !select.table.hasMaskedColumns() || client.hasTablePermission(select.table, Permission.UNMASK);
        ReadTerms terms = new ReadTerms(
                session.tokenMicros(),
                session.mode(),
                requestTime.computeDeadline(DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS)));
        ReadMetrics metrics = new ReadMetrics(level, select.table, measured.reads(select.table, session.mode()));
        try {
            ReadService.Outcome outcome = reads.read(select, options, client, unmask, terms);
            refuseWhenGone(level); // one that left the ring meanwhile may have missed what came after
            ResultMessage.Rows rows = outcome.rows();
            trace(outcome);
            metrics.served(outcome);
            session.answerRead(rows, outcome.info(), outcome.latestCutMicros());
            return rows;
        } catch (ReadRefusedException e) {
            Tracing.trace("MeteorShower: not served: {}", e.getMessage());
            RuntimeException refusal = Refusal.of(e, level, 1);
            metrics.failed(refusal);
            throw refusal;
        } catch (StoppedException e) {
            RuntimeException refusal = Refusal.stopped(e, level);
            metrics.failed(refusal);
            throw refusal;
        } finally {
            metrics.done();
        }
    }

    private void refuseUnservable(SelectStatement select, ConsistencyLevel level) {
        if (!namesPartitions(select)) {
            throw Refusal.refused("at " + level + ", reads of " + select.table
                    + " must name their partitions (= or IN on the whole partition key), since a scan has no one cut. Name"
                    + " them, read at LOCAL_QUORUM or ONE with Cassandra's own guarantees, or let scans at " + level
                    + " go to Cassandra: UPDATE meteorshower.tables SET options = 'ranges=cassandra' WHERE ...");
        }
        if (StorageService.instance.isBootstrapMode()) {
            throw new IsBootstrappingException();
        }
        String obstacle = enabled.obstacleTo(select.table.id);
        if (obstacle != null) {
            throw Refusal.unservable(select.table, obstacle);
        }
        if (enabled.idOf(select.table.id) == null) {
            throw Refusal.notFollowed(select.table, level);
        }
        refuseWhenGone(level);
    }

    private static void refuseWhenGone(ConsistencyLevel level) {
        if (!PlacementKeeper.isOnRing()) {
            throw Refusal.notOnRing(level);
        }
    }

    private static void trace(ReadService.Outcome outcome) {
        ReadInfo info = outcome.info();
        if (Tracing.isTracing() && info != null) {
            Tracing.trace(
                    "MeteorShower: served {}{} at cut {}, {} ms behind the clock",
                    info.served(),
                    outcome.elsewhere() ? " by another replica" : "",
                    info.cutMicros(),
                    info.stalenessMicros() / 1_000.0);
            if (info.served() == Served.OLDER) {
                Tracing.trace("MeteorShower: a newer cut was covered; a write of the row was in flight there");
            }
        }
    }
}
