/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.TruncateStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.request.Options;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.TakingPart.Stage;
import org.meteorshower.transactions.language.Range;

/**
 * Statements outside of transactions, on tables that take part in them: each becomes a transaction of its own, or is
 * refused. Never is one served with less than it asked for. Thread-safe.
 */
public final class PlainStatements implements Handler {
    /**
     * At these, a read asks for no more than some copy: a snapshot is more, and where it cannot be had, Cassandra's own
     * path serves.
     */
    private static final Set<ConsistencyLevel> WEAK =
            EnumSet.of(ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.NODE_LOCAL);

    private final PlainTexts texts;
    private final Transactions transactions;
    private final Function<ClientRequest, ResultMessage> otherwise;
    private final Map<CQLStatement, Plan> plans = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param otherwise Cassandra's own path, for what it serves as well as it was asked for */
    public PlainStatements(
            PlainTexts texts, Transactions transactions, Function<ClientRequest, ResultMessage> otherwise) {
        this.texts = texts;
        this.transactions = transactions;
        this.otherwise = otherwise;
    }

    /** Whether a table of the statement's takes part in transactions. Asked for each statement. */
    public static boolean concerns(@Nullable CQLStatement statement) {
        return anyTable(statement, TransactionTables::isTransactional);
    }

    /** Whether a table of the statement's takes part in transactions, or is about to. Asked for each statement. */
    public static boolean mayConcern(@Nullable CQLStatement statement) {
        return anyTable(statement, table -> {
            Stage stage = TransactionTables.stage(table);
            return stage != null && stage != Stage.ENDED;
        });
    }

    private static boolean anyTable(@Nullable CQLStatement statement, Predicate<TableMetadata> one) {
        if (statement instanceof SelectStatement select) {
            return one.test(select.table);
        } else if (statement instanceof ModificationStatement write) {
            return one.test(write.metadata());
        } else if (statement instanceof BatchStatement batch) {
            return batch.getStatements().stream().anyMatch(each -> anyTable(each, one));
        } else if (statement instanceof TruncateStatement truncate) {
            TableMetadata table = Schema.instance.getTableMetadata(truncate.keyspace(), truncate.name());
            return table != null && one.test(table);
        }
        return false;
    }

    /** Whether the text of each of the request's statements is known, where it takes that. */
    public boolean knows(ClientRequest request) {
        if (request.way() != ClientRequest.Way.BATCH || !(request.statement() instanceof BatchStatement batch)) {
            return request.statement() instanceof TruncateStatement || texts.knows(request.statement());
        }
        List<Object> asked = request.options().getQueryOrIdList();
        for (int i = 0; i < batch.getStatements().size(); i++) {
            if (!(asked.get(i) instanceof String)
                    && !texts.knows(batch.getStatements().get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        if (!concerns(request.statement())) {
            return null;
        }
        return request.way() == ClientRequest.Way.BATCH && request.statement() instanceof BatchStatement batch
                ? () -> runBatch(batch, request)
                : () -> run(request.statement(), request);
    }

    private ResultMessage run(CQLStatement statement, ClientRequest request) {
        request.admit();
        boolean weak = WEAK.contains(request.only().getConsistency());
        if (transactions.refusesPlain() && !(weak && statement instanceof SelectStatement)) {
            throw refusedBySetting();
        } else if (statement instanceof TruncateStatement truncate) {
            return transactions.truncate(Schema.instance.validateTable(truncate.keyspace(), truncate.name()), request);
        }
        Plan plan;
        try {
            plan = planOf(statement);
        } catch (RequestValidationException e) {
            return unplanned(statement, weak, request, e);
        }
        boolean isRange = plan.result() instanceof SelectedRange;
        if (isRange && weak) {
            return otherwise.apply(request); // no snapshot has ranges
        }
        plan.authorize(request.client());
        try {
            return isRange ? runRange(plan, request) : transactions.run(plan, request.only(), weak, request);
        } catch (SeveralRangesException e) {
            if (statement instanceof SelectStatement select) {
                return transactions.scan(select, request, otherwise);
            }
            throw e;
        }
    }

    /** No transaction can be made of it. */
    private ResultMessage unplanned(
            CQLStatement statement, boolean weak, ClientRequest request, RequestValidationException why) {
        if (statement instanceof SelectStatement select) {
            if (weak) {
                return otherwise.apply(request);
            } else if (texts.knows(statement) && Results.hasPlainMeaning(select)) {
                return transactions.scan(select, request, otherwise);
            }
        }
        throw explained(statement, why);
    }

    /** Where as many rows as a page shall have are too large together, it has fewer. */
    private ResultMessage runRange(Plan plan, ClientRequest request) {
        QueryOptions options = request.only();
        int size = Math.min(options.getPageSize(), Range.MOST_ROWS);
        while (true) {
            try {
                return transactions.run(plan, options, false, request);
            } catch (RangeTooLargeException e) {
                if (size <= 1) {
                    throw e;
                }
                size /= 2;
                options = Options.paged(size, options);
            }
        }
    }

    /** A batch of the protocol's: one transaction. */
    private ResultMessage runBatch(BatchStatement batch, ClientRequest request) {
        if (transactions.refusesPlain()) {
            throw refusedBySetting();
        }
        BatchQueryOptions options = request.options();
        List<Plan> each = new ArrayList<>();
        List<ByteBuffer> values = new ArrayList<>();
        for (int i = 0; i < batch.getStatements().size(); i++) {
            ModificationStatement statement = batch.getStatements().get(i);
            if (!concerns(statement)) {
                throw Errors.invalid("a batch that writes into a table of transactions writes into such tables only: "
                        + statement.metadata() + " is none. Write it apart");
            }
            if (options.getQueryOrIdList().get(i) instanceof String text && !texts.knows(statement)) {
                texts.remember(statement, text, keyspaceOf(request));
            }
            each.add(planOf(statement));
            values.addAll(options.forStatement(i).getValues());
        }
        Plan whole = Plan.joined(each);
        whole.authorize(request.client());
        return transactions.run(whole, Options.whole(values, options.forStatement(0)), false, request);
    }

    private static @Nullable String keyspaceOf(ClientRequest request) {
        String keyspace = request.options().getKeyspace();
        return keyspace != null ? keyspace : request.client().getRawKeyspace();
    }

    private static InvalidRequestException refusedBySetting() {
        return Errors.invalid("single statements on tables that take part in transactions are refused here"
                + " (transactions.plain_statements: refuse in meteorshower.yaml): write BEGIN TRANSACTION ... COMMIT"
                + " TRANSACTION, or read at ONE or LOCAL_ONE");
    }

    private Plan planOf(CQLStatement statement) {
        Plan known = plans.get(statement);
        if (known != null && known.isCurrent()) {
            return known;
        }
        PlainTexts.Text text = texts.of(statement);
        ClientState client = text.keyspace() == null
                ? ClientState.forInternalCalls()
                : ClientState.forInternalCalls(text.keyspace());
        Plan plan =
                Compiler.compile(ScriptParser.parsePlain(text.text()), client).from(text.text());
        plans.put(statement, plan);
        return plan;
    }

    private static RequestValidationException explained(CQLStatement statement, RequestValidationException cause) {
        TableMetadata table = statement instanceof SelectStatement select
                ? select.table
                : statement instanceof ModificationStatement write ? write.metadata() : null;
        return new InvalidRequestException("MeteorShower: " + (table == null ? "a table of this statement" : table)
                + " takes part in transactions, so this statement would be one by itself, and that is not possible: "
                + String.valueOf(cause.getMessage()).replaceFirst("^MeteorShower: ", "")
                + (statement instanceof SelectStatement
                        ? " Or read at ONE or LOCAL_ONE: that is what some copy holds, and no snapshot."
                        : ""));
    }
}
