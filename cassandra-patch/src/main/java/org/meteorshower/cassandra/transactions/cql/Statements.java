/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.antlr.runtime.RecognitionException;
import org.apache.cassandra.cql3.CQLFragmentParser;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.CqlParser;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.cql3.selection.Selection.Selectors;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.QualifiedStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.SyntaxException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;

/** What Cassandra's parser makes of a transaction's pieces. Stateless. */
final class Statements {
    private Statements() {}

    static SelectStatement select(Fragment text, ClientState client) {
        if (prepared(text, client) instanceof SelectStatement select) {
            return select;
        }
        throw Errors.invalid("a SELECT was expected: " + text);
    }

    static ModificationStatement write(Fragment text, ClientState client) {
        if (prepared(text, client) instanceof ModificationStatement write) {
            return write;
        }
        throw Errors.invalid("INSERT, UPDATE or DELETE was expected: " + text);
    }

    /** What a SELECT does with its rows, whatever its markers will hold. */
    static Selectors selectors(SelectStatement select) {
        List<ByteBuffer> none = Collections.nCopies(select.getBindVariables().size(), null);
        return select.getSelection().newSelectors(QueryOptions.forInternalCalls(none));
    }

    /** The table that this name means to the client. */
    static TableMetadata table(Fragment name, ClientState client) {
        return select(Fragment.of("SELECT * FROM").and(name), client).table;
    }

    /** The whole of the text, or an error. */
    static Term.Raw term(Fragment text) {
        return parse(
                parser -> {
                    Term.Raw term = parser.term();
                    org.antlr.runtime.TokenStream input = parser.getTokenStream();
                    if (input.LA(1) != org.antlr.runtime.Token.EOF) {
                        throw new SyntaxException("MeteorShower: a value ends before '"
                                + input.LT(1).getText() + "' in " + text);
                    }
                    return term;
                },
                text);
    }

    private static CQLStatement prepared(Fragment text, ClientState client) {
        CQLStatement.Raw raw = parse(CqlParser::query, text);
        if (!(raw instanceof QualifiedStatement qualified)) {
            throw Errors.invalid("this cannot be done within a transaction: " + text);
        }
        qualified.setKeyspace(client);
        check(Schema.instance.validateTable(qualified.keyspace(), qualified.name()));
        return raw.prepare(client);
    }

    private static <T> T parse(CQLFragmentParser.CQLParserFunction<T> rule, Fragment text) {
        try {
            T parsed = CQLFragmentParser.parseAnyUnhandled(rule, text.text());
            if (parsed == null) {
                throw new SyntaxException("MeteorShower: not understood: " + text);
            }
            return parsed;
        } catch (RecognitionException e) {
            throw new SyntaxException("MeteorShower: invalid or malformed: " + text + ": " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new SyntaxException("MeteorShower: nested too deep: " + shortened(text.text()));
        } catch (IllegalStateException | NullPointerException | ClassCastException e) {
            // as Cassandra itself guards its parser: it goes on after errors, on what it has not got
            throw new SyntaxException("MeteorShower: not understood: " + shortened(text.text()));
        }
    }

    private static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }

    private static void check(TableMetadata table) {
        String cause = table.isCounter()
                ? "counters change without being read first: use a bigint column, and SET c = c + 1"
                : table.isView()
                        ? "a materialized view follows its base table: read or write that one"
                        : table.isVirtual() ? "a virtual table is no data of the cluster's" : "";
        if (!cause.isEmpty()) {
            throw Errors.invalid(table + " cannot take part in transactions: " + cause + ".");
        }
    }
}
