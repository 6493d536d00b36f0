/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The texts of single statements on tables that take part in transactions, which Cassandra does not keep with them: as
 * long as somebody holds the statement. Thread-safe.
 */
public final class PlainTexts {
    private final Map<CQLStatement, Text> texts = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param keyspace that the client has chosen; null for none */
    record Text(String text, @Nullable String keyspace) {}

    /** To be told of the text of each statement that {@linkplain PlainStatements#concerns concerns} such a table. */
    public void remember(CQLStatement statement, String text, @Nullable String keyspace) {
        texts.putIfAbsent(statement, new Text(text, keyspace));
    }

    boolean knows(CQLStatement statement) {
        return texts.containsKey(statement);
    }

    /** @throws InvalidRequestException if it is not known any more */
    Text of(CQLStatement statement) {
        Text text = texts.get(statement);
        if (text == null) {
            throw Errors.invalid("the text of this statement is not known any more: prepare it again");
        }
        return text;
    }
}
