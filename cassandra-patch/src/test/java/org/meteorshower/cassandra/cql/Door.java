/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.meteorshower.cassandra.config.WeakWrites;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.LocatedFetch;
import org.meteorshower.cassandra.read.LocatedRead;
import org.meteorshower.cassandra.read.OthersFirst;
import org.meteorshower.cassandra.read.RoutedFetch;
import org.meteorshower.cassandra.read.ScanFetch;
import org.meteorshower.cassandra.read.SelectInternals;
import org.meteorshower.cassandra.read.SelectRunner;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.EndingTables;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.cassandra.tables.RequestsUnderWay;
import org.meteorshower.cassandra.tables.SchemaGuard;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.tables.TransactionSwitch;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.cassandra.transactions.cql.PlainTexts;
import org.meteorshower.cassandra.transactions.cql.PreparedTransactions;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.Transactions;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;

/**
 * The front door of a node without a node behind it: no partition has rows, no transaction an outcome, and nothing can
 * be written.
 */
final class Door {
    static final NodeId SELF = new NodeId(new UUID(0, 1));

    final EnabledTables enabled = new EnabledTables();

    /** Whether another node may still serve the table of this name; may be replaced. */
    Predicate<UUID> isEnding = name -> false;

    final TokenFormat tokens =
            new TokenFormat(new TokenSecrets(Map.of(0, "0123456789abcdef".getBytes(StandardCharsets.UTF_8)), null));
    final CoordinatorToken shared = new CoordinatorToken(0);
    final EndingTables endings = new EndingTables(name -> isEnding.test(name), () -> 100, shared::advanceTo);
    final MetricSet metrics = new MetricSet(MetricSet.SILENT);
    final Refusals refusals = new Refusals(metrics);
    final RecordingCassandra cassandra = new RecordingCassandra();
    boolean onRing = true;

    /** What holds the partitions; may be replaced before a request. */
    LocatedFetch here = (read, terms) -> new FetchedPartition(null, new ReadInfo(50, Served.LOCAL, 3));

    /** What scans; may be replaced before a request. */
    ScanFetch scans = (first, terms, after) -> {
        throw new AssertionError("nobody scans");
    };

    final ServedTables tables = new ServedTables(
            enabled,
            new OwnPlace() {
                @Override
                public boolean isBootstrapping() {
                    return false;
                }

                @Override
                public boolean isOnRing() {
                    return onRing;
                }
            },
            new SessionTokens(tokens, shared),
            new TableMetrics(metrics),
            refusals);

    final RingPlacement placement = new RingPlacement(SELF);
    final ReadHandler reads = new ReadHandler(
            tables,
            new SelectRunner(new SelectInternals()),
            new RoutedFetch(
                    SELF,
                    placement,
                    enabled,
                    new OthersFirst() {
                        @Override
                        public boolean atOnce(LocatedRead read, ReadMode mode) {
                            return false;
                        }

                        @Override
                        public boolean afterAWait(LocatedRead read, ReadMode mode) {
                            return false;
                        }
                    },
                    (read, terms) -> here.fetch(read, terms),
                    (read, terms) -> {
                        throw new AssertionError("this node holds all partitions");
                    }),
            (first, terms, after) -> scans.open(first, terms, after));

    final WriteHandler writes = new WriteHandler(
            tables,
            new WriteMaker(tables, () -> WeakWrites.REFUSE, new BatchInternals()),
            new WriteAdmission(1_000, new ByteAccount(100_000)),
            new WriteBeginnings(
                    SELF,
                    placement,
                    new LeaseHolders(enabled, node -> "dc", node -> true),
                    (keys, token, strict, deadline) -> {
                        throw new AssertionError("nothing can be written");
                    },
                    (replicas, keys, token, strict, deadline) -> {
                        throw new AssertionError("nobody else is there");
                    }),
            placement);

    final CassandraPath rest =
            new CassandraPath(cassandra, new SchemaGuard(() -> !enabled.none(), TransactionSwitch.off()));
    final Transactions transactions = new Transactions(
            TransactionGroups.only(new NobodyRuns()),
            TransactionTables::isTransactional,
            tokens,
            false,
            new TransactionMetrics(metrics, refusals));
    final Procedures procedures =
            new Procedures(null, TransactionTables::isTransactional, Runnable::run, System::nanoTime);
    final KnownStatements known = new KnownStatements(new PreparedTransactions(), new PlainTexts());
    final List<Handler> inOrder = List.of(reads, writes, new TruncateHandler(tables));
    final DisabledMeanwhile meanwhile = new DisabledMeanwhile(tables, endings, inOrder, rest);
    final RequestsUnderWay underWay = new RequestsUnderWay();
    final PlainStatements single = new PlainStatements(known.texts(), transactions, rest::run);
    final List<Handler> handlers = List.of(
            transactions.sessions(),
            procedures,
            transactions,
            single,
            new ClosedMeanwhile(underWay, enabled, single, meanwhile));
    final FrontDoor open = new FrontDoor(new StatementTexts(cassandra, known, procedures, writes::checkText), handlers);
    final FrontDoor closed = FrontDoor.closed(cassandra, known);

    Door() {
        GivenTables.enable(enabled, TableOptions.DEFAULT, Requests.ENABLED);
    }

    /** Who takes the request: a class's name. */
    String takerOf(ClientRequest request) {
        String taker = nameOf(handlers, request);
        if (!taker.equals(ClosedMeanwhile.class.getSimpleName())) {
            return taker;
        }
        String served = nameOf(inOrder, request);
        return served.isEmpty() ? CassandraPath.class.getSimpleName() : served;
    }

    private static String nameOf(List<Handler> handlers, ClientRequest request) {
        for (Handler each : handlers) {
            if (each.take(request) != null) {
                return each.getClass().getSimpleName();
            }
        }
        return "";
    }

    private static final class NobodyRuns implements TransactionRunner {
        @Override
        public CompletableFuture<Answer> run(Transaction transaction, Terms terms) {
            return CompletableFuture.completedFuture(new Answer.Unknown("nobody runs it"));
        }

        @Override
        public CompletableFuture<Answer> submit(Request request, long deadlineNanos) {
            return CompletableFuture.completedFuture(new Answer.Unknown("nobody runs it"));
        }
    }
}
