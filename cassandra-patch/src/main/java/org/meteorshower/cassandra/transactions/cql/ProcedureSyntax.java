/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.CqlLexer;
import org.apache.cassandra.exceptions.SyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code CREATE PROCEDURE}, {@code DROP PROCEDURE} and {@code CALL}. Used by one thread, once. */
final class ProcedureSyntax {
    private static final Pattern NAME = Pattern.compile("\\w{1,48}");

    private final Tokens tokens;
    private final @Nullable String keyspace;

    private ProcedureSyntax(String text, @Nullable String keyspace) {
        this.tokens = new Tokens(text);
        this.keyspace = keyspace;
    }

    /** A CALL, before anything is known of its procedure. */
    record Call(ProcedureId id, List<Fragment> arguments, List<@Nullable ColumnIdentifier> markerNames) {}

    /** @param body the transaction's text; null where the procedure is dropped */
    record Change(ProcedureId id, @Nullable String body, boolean ifExists) {}

    /** @param keyspace that the client uses */
    static Call call(String text, @Nullable String keyspace) {
        return new ProcedureSyntax(text, keyspace).call();
    }

    static Change change(String text, @Nullable String keyspace) {
        return new ProcedureSyntax(text, keyspace).change();
    }

    private Call call() {
        tokens.require("CALL");
        ProcedureId id = id("CALL ", " (...)");
        List<Fragment> arguments = new ArrayList<>();
        if (!tokens.peek().is("(")) {
            throw tokens.error("expected the arguments in brackets, () where there are none");
        }
        int behind = tokens.behindBrackets();
        tokens.take();
        while (tokens.place() < behind - 1) {
            int end = endOfArgument(behind - 1);
            arguments.add(tokens.fragment(tokens.place(), end));
            tokens.moveTo(end);
            if (tokens.takeIf(",") && tokens.place() == behind - 1) {
                throw tokens.error("an argument is missing");
            }
        }
        tokens.moveTo(behind);
        end();
        return new Call(id, arguments, tokens.markerNames());
    }

    private int endOfArgument(int last) {
        int depth = 0;
        for (int i = tokens.place(); i < last; i++) {
            if (tokens.at(i).opens()) {
                depth++;
            } else if (tokens.at(i).closes()) {
                depth--;
            } else if (depth == 0 && tokens.at(i).is(",")) {
                return i;
            }
        }
        return last;
    }

    private Change change() {
        boolean drops = tokens.takeIf("DROP");
        if (!drops) {
            tokens.require("CREATE");
        }
        tokens.require("PROCEDURE");
        boolean ifExists = drops && tokens.peek().is("IF") && tokens.peek(1).is("EXISTS");
        if (ifExists) {
            tokens.moveTo(tokens.place() + 2);
        }
        ProcedureId id = id(drops ? "DROP PROCEDURE " : "CREATE PROCEDURE ", drops ? "" : " AS $$ ... $$");
        String body = drops ? null : body();
        end();
        if (!tokens.markerNames().isEmpty()) {
            throw new SyntaxException(
                    "MeteorShower: procedures are registered and dropped without bind markers; those of"
                            + " the procedure itself stand within its text");
        }
        return new Change(id, body, ifExists);
    }

    private String body() {
        tokens.require("AS");
        if (tokens.atEnd() || tokens.peek().type() != CqlLexer.STRING_LITERAL) {
            throw tokens.error("expected the transaction as a text: $$ BEGIN TRANSACTION ... COMMIT TRANSACTION $$");
        }
        return unquoted(tokens.take().text());
    }

    /** What a text literal stands for. */
    static String unquoted(String literal) {
        return literal.startsWith("$$")
                ? literal.substring(2, literal.length() - 2)
                : literal.substring(1, literal.length() - 1).replace("''", "'");
    }

    private ProcedureId id(String before, String behind) {
        String first = tokens.takeName("a procedure");
        String name = tokens.takeIf(".") ? tokens.takeName("a procedure") : null;
        String in = name == null ? keyspace : first;
        String own = name == null ? first : name;
        if (in == null) {
            throw Errors.invalid("which keyspace's procedure '" + own + "' is meant cannot be told: write keyspace."
                    + own + ", or USE a keyspace first");
        } else if (!NAME.matcher(own).matches()) {
            throw Errors.invalid("'" + own + "' is no name for a procedure: letters, digits and _, at most 48");
        } else if (!tokens.takeIf("VERSION")) {
            throw new SyntaxException("MeteorShower: say which version of the procedure: " + before
                    + ColumnIdentifier.maybeQuote(own) + " VERSION 1" + behind
                    + ". There is no newest one: nodes hear of versions one after the other, and what the arguments of"
                    + " the next one mean is not known to who wrote this");
        }
        return new ProcedureId(in, own, version());
    }

    private int version() {
        Token number = tokens.peek();
        if (number.type() == CqlLexer.INTEGER) {
            try {
                int version = Integer.parseInt(number.text());
                if (version >= 1) {
                    tokens.take();
                    return version;
                }
            } catch (NumberFormatException e) {
                // told below
            }
        }
        throw tokens.error("expected a version, from 1 to " + Integer.MAX_VALUE + ", written out,");
    }

    private void end() {
        while (tokens.takeIf(";")) {
            // as many as there are
        }
        if (!tokens.atEnd()) {
            throw tokens.error("nothing may follow");
        }
    }
}
