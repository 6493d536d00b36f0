/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.List;

/**
 * What may be concluded when a statement fails. Anything not recognised as a SELECT counts as a write, since that is
 * the side on which a mistake does no harm.
 */
enum StatementKind {
    /** Changes nothing: may be sent again at will. */
    READ,
    /** One mutation: a coordinator that reports too few live replicas has sent nothing. */
    WRITE,
    /**
     * Several mutations, or a conditional one: when the coordinator reports too few live replicas for one step, an
     * earlier step may have been sent already.
     */
    WRITE_IN_STEPS,
    /** A transaction with a number, under which it runs at most once: may be sent again at will, anywhere. */
    NUMBERED;

    static StatementKind of(Statement<?> statement) {
        if (statement instanceof BatchStatement batch) {
            return of(batch);
        }
        if (statement instanceof SimpleStatement simple) {
            return ofText(simple.getQuery());
        }
        if (statement instanceof BoundStatement bound) {
            return ofText(bound.getPreparedStatement().getQuery());
        }
        return WRITE_IN_STEPS;
    }

    static StatementKind ofText(String query) {
        if (CqlText.firstWord(query).equals("SELECT")) {
            return READ;
        }
        List<String> words = CqlText.words(query);
        boolean single =
                switch (words.isEmpty() ? "" : words.get(0)) {
                    case "INSERT", "UPDATE", "DELETE" -> !words.contains("IF") && !words.contains("IN");
                    default -> false;
                };
        return single ? WRITE : WRITE_IN_STEPS;
    }

    private static StatementKind of(BatchStatement batch) {
        // A logged batch counts its replicas before it writes its log; its children may be conditional.
        boolean single = batch.getBatchType() == BatchType.LOGGED;
        for (Statement<?> child : batch) {
            single &= of(child) == WRITE;
        }
        return single ? WRITE : WRITE_IN_STEPS;
    }
}
