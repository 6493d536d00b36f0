/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.TakingPart;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Question;
import org.meteorshower.protocol.TakingPart.Stage;
import org.meteorshower.protocol.TakingPart.Word;

/**
 * Brings tables into transactions: asks all nodes how they are with one, and changes its stage in the schema by what
 * they say ({@link TakingPart}). Any node may do so, several at the same time. Blocks for as long as nodes take to
 * answer; thread-safe.
 */
final class TakingPartRounds {
    private static final long ANSWERED_WITHIN_SECONDS = 3;

    private final NodeId self;
    private final PartHere here;
    private final PartElsewhere others;
    private final TableSwitch tableSwitch;

    /** What each table waits for, as far as this node has asked. */
    private final Map<TableId, String> waits = new ConcurrentHashMap<>();

    TakingPartRounds(NodeId self, PartHere here, PartElsewhere others, TableSwitch tableSwitch) {
        this.self = self;
        this.here = here;
        this.others = others;
        this.tableSwitch = tableSwitch;
    }

    /** @param missing why there are not all answers; null where there are */
    private record Said(List<Answer> answers, @Nullable String missing) {
        @Nullable
        String notYet() {
            return missing != null
                    ? missing
                    : answers.stream()
                            .filter(answer -> answer.word() == Word.NOT_YET)
                            .map(Answer::why)
                            .findFirst()
                            .orElse(null);
        }
    }

    /** What a table waits for, as far as this node knows; null where it does not. */
    @Nullable
    String waitsFor(TableId table) {
        return waits.get(table);
    }

    /** Another node goes on with it. */
    void forget(TableId table) {
        waits.remove(table);
    }

    /** Whether it is this node that asks on behalf of tables, as far as it sees which are up. */
    boolean isAsker() {
        UUID first = null;
        for (Map.Entry<InetAddressAndPort, UUID> node : nodes().entrySet()) {
            boolean isUp = node.getValue().equals(self.value()) || FailureDetector.instance.isAlive(node.getKey());
            if (isUp && (first == null || node.getValue().compareTo(first) < 0)) {
                first = node.getValue();
            }
        }
        return self.value().equals(first);
    }

    private static Map<InetAddressAndPort, UUID> nodes() {
        return StorageService.instance.getTokenMetadata().getEndpointToHostIdMapForReading();
    }

    /**
     * Where a table begins its way that nobody has asked for before.
     *
     * @throws Unready if not all nodes can be asked, or one has an earlier release
     */
    Stage first(TableMetadata table) {
        Said said = ask(Question.LOOK, table.id, 0);
        if (said.missing != null) {
            throw new Unready(said.missing);
        }
        Stage first = TakingPart.next(null, said.answers);
        return first == null ? Stage.COMING_TOGETHER : first;
    }

    /** Not all nodes can be asked. */
    static final class Unready extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unready(String message) {
            super(message);
        }
    }

    /** One step on a table's way, if it can be done now. Returns whether there is nothing more to do. */
    boolean advance(TableId id) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        TransactionOptions options = table == null ? null : TransactionTables.options(table);
        if (table == null || options == null || options.hasBegun()) {
            waits.remove(id);
            return true;
        }
        Said said = ask(TakingPart.firstQuestion(options.stage()), id, options.baseMicros());
        if (said.notYet() == null && options.stage() == Stage.CLOSED && TakingPart.areClosed(said.answers)) {
            said = ask(Question.HOLDS, id, options.baseMicros());
        }
        String notYet = said.notYet();
        Stage next = notYet == null ? TakingPart.next(options.stage(), said.answers) : null;
        if (next == null) {
            waits.put(id, notYet == null ? "its replicas come together" : notYet);
            return false;
        }
        if (next == Stage.CLOSED && StorageProxy.describeSchemaVersions(false).size() > 1) {
            waits.put(id, "nodes have yet to agree on the schema"); // it would be closed until they have
            return false;
        }
        Said all = said;
        TableSwitch.transform(table, before -> {
            TransactionOptions now = TransactionOptions.of(before);
            return options.equals(now) ? at(next, before, options, all.answers) : before;
        });
        waits.remove(id);
        return next == Stage.OPEN;
    }

    private TableMetadata at(Stage next, TableMetadata table, TransactionOptions options, List<Answer> answers) {
        TransactionOptions then = options.at(next);
        return switch (next) {
            case COMING_TOGETHER -> then.in(tableSwitch.enabled(table));
            case CLOSED -> closed(options).in(table);
            case OPEN ->
                TransactionOptions.open(TakingPart.baseMicros(options.baseMicros(), answers), options.group())
                        .in(TableSwitch.disabled(table));
            case ENDED -> throw new IllegalStateException("no answer ends it");
        };
    }

    /** A table that nobody has asked for before, at the first stage of its way. */
    TableMetadata at(Stage first, TableMetadata table, int group) {
        TransactionOptions options = new TransactionOptions(0, group, first);
        return first == Stage.CLOSED ? closed(options).in(table) : options.in(tableSwitch.enabled(table));
    }

    /** Closed at a time that no closing had before. */
    private static TransactionOptions closed(TransactionOptions options) {
        long micros = Math.max(FBUtilities.timestampMicros(), options.baseMicros() + 1);
        return new TransactionOptions(micros, options.group(), Stage.CLOSED);
    }

    private Said ask(Question question, TableId table, long closedMicros) {
        Map<String, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        for (Map.Entry<InetAddressAndPort, UUID> node : nodes().entrySet()) {
            String name = node.getKey().getHostAddress(false);
            if (node.getValue().equals(self.value())) {
                asked.put(name, here.asked(question, table, closedMicros));
            } else if (FailureDetector.instance.isAlive(node.getKey())) {
                asked.put(name, others.ask(new NodeId(node.getValue()), question, table, closedMicros));
            } else {
                return new Said(List.of(), "node " + name + " is down");
            }
        }
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWERED_WITHIN_SECONDS);
        List<Answer> answers = new ArrayList<>();
        for (Map.Entry<String, CompletableFuture<Answer>> each : asked.entrySet()) {
            String missing = null;
            try {
                Answer answer = each.getValue().get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                answers.add(new Answer(
                        answer.word(),
                        answer.newestMicros(),
                        answer.why().isEmpty() ? "" : "at " + each.getKey() + ": " + answer.why()));
            } catch (ExecutionException e) {
                missing = "node " + each.getKey() + " cannot be asked, or its plugin is of an earlier release: "
                        + (e.getCause() == null ? e : e.getCause()).getMessage();
            } catch (TimeoutException e) {
                missing = "node " + each.getKey() + " does not answer";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                missing = "this node is going down";
            }
            if (missing != null) {
                return new Said(List.of(), missing);
            }
        }
        return new Said(answers, null);
    }
}
