/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.cassandra.cql3.CqlLexer;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.exceptions.InvalidRequestException;

/**
 * What a procedure may not contain: whatever makes a call do anything else than its arguments and the rows at its place
 * in the order say. The language of transactions has no I/O and no loops; left are functions, and literals that
 * Cassandra reads by the clock, the time zone or the name service of the node. Stateless.
 */
final class Sandbox {
    /**
     * Cassandra's functions that give the same for the same, everywhere. What is not named here is refused, since
     * Cassandra's own word for it cannot be gone by: 5.0 takes uuid() for pure.
     */
    private static final Pattern SAME = Pattern.compile("abs|exp|log|log10|round|floor"
            + "|_add|_substract|_multiply|_divide|_modulo|_negate"
            + "|token|to_?json|map_keys|map_values|collection_(avg|count|max|min|sum)"
            + "|mask_(default|hash|inner|null|outer|replace)|similarity_(cosine|dot_product|euclidean)"
            + "|(min|max)_?timeuuid|to_?(date|timestamp)|to_?unix_?timestamp"
            + "|[a-z]+_?as_?blob|blob_?as_?[a-z]+|cast_?[aA]s_?[a-zA-Z]+");

    /**
     * They read texts as Cassandra's literals, and so "now" as the clock. By the tokens: of constants they are gone
     * when compiled.
     */
    private static final Set<String> READ_TEXTS = Set.of("from_json", "fromjson");

    private static final String CLOCK = "now";

    /** A time of day without a zone, or a day that would be a timestamp's: both are of the node's time zone. */
    private static final Pattern ZONELESS = Pattern.compile(
            "\\s*[+-]?\\d{4,}-\\d{1,2}-\\d{1,2}([ T]\\d{1,2}(:\\d{1,2}(:\\d{1,2}([.,]\\d{1,9})?)?)?)?\\s*");

    /** Casts and functions by which a literal may be a timestamp where no column is. */
    private static final Pattern TIMES = Pattern.compile(".*time.*|to_?date|floor");

    private static final Pattern ADDRESSES = Pattern.compile("inet");

    /** What is no address in numbers. */
    private static final Pattern HOST = Pattern.compile("(?![0-9.]*$)[\\w.-]+");

    private Sandbox() {}

    /** @throws InvalidRequestException saying what is not allowed, why, and what to write instead */
    static void check(ProcedureId id, String text, Plan plan) {
        List<Function> functions = new ArrayList<>(plan.functions());
        plan.statements().forEach(statement -> statement.getFunctions().forEach(functions::add));
        for (Function each : functions) {
            if (!each.isNative()) {
                throw refused(
                        id,
                        each.name() + "(), a user-defined function: nothing says that it does the same each time and"
                                + " at each node",
                        "its result");
            } else if (!isTheSame(each)) {
                throw refused(
                        id,
                        each.name() + "(), which may have another value each time: by clock or chance",
                        "its value");
            }
        }
        Tokens tokens = new Tokens(text);
        boolean timestamps = isAbout("timestamp", plan) || hasWord(tokens, TIMES);
        boolean addresses = isAbout("inet", plan) || hasWord(tokens, ADDRESSES);
        for (int i = 0; tokens.at(i).type() != org.antlr.runtime.Token.EOF; i++) {
            Token token = tokens.at(i);
            if (token.isWord()
                    && READ_TEXTS.contains(token.name())
                    && tokens.at(i + 1).is("(")) {
                throw refused(
                        id, token.name() + "(), which reads the clock where its text says so", "the value itself");
            } else if (token.type() == CqlLexer.STRING_LITERAL) {
                literal(id, ProcedureSyntax.unquoted(token.text()), timestamps, addresses);
            }
        }
    }

    private static boolean isAbout(String type, Plan plan) {
        return plan.tables().stream()
                .flatMap(table -> table.columns().stream())
                .anyMatch(column -> written(column.type.unwrap()).contains(type));
    }

    /** With the types of the fields of users' types, which CQL does not write out. */
    private static String written(AbstractType<?> type) {
        StringBuilder text = new StringBuilder(type.asCQL3Type().toString());
        type.subTypes().forEach(part -> text.append(' ').append(written(part)));
        return text.toString();
    }

    private static boolean hasWord(Tokens tokens, Pattern words) {
        for (int i = 0; tokens.at(i).type() != org.antlr.runtime.Token.EOF; i++) {
            if (tokens.at(i).isWord() && words.matcher(tokens.at(i).name()).matches()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it has the same value for the same arguments, whenever and wherever it is asked. */
    static boolean isTheSame(Function function) {
        return function.isNative() && SAME.matcher(function.name().name).matches();
    }

    /**
     * Of which type a literal is cannot be told once it is compiled, so those that look like one are refused wherever
     * there is such a type.
     */
    private static void literal(ProcedureId id, String value, boolean timestamps, boolean addresses) {
        if (timestamps && value.strip().equalsIgnoreCase(CLOCK)) {
            throw refused(id, "'" + value + "', which as a timestamp is the node's clock", "the value");
        } else if (timestamps && ZONELESS.matcher(value).matches()) {
            throw refused(
                    id,
                    "'" + value + "', which as a timestamp is of the node's time zone",
                    "the value, or write the zone ('2030-01-31T00:00:00Z')");
        } else if (addresses && HOST.matcher(value).matches()) {
            throw refused(id, "'" + value + "', which as an inet is a host's name that the node looks up", "the value");
        }
    }

    private static InvalidRequestException refused(ProcedureId id, String what, String pass) {
        return Errors.invalid("procedure " + id + " cannot contain " + what + ". A call must do the same wherever and"
                + " however often it is sent: make it a parameter, and pass " + pass);
    }
}
