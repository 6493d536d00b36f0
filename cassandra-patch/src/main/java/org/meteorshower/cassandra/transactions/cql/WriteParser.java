/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Reads INSERT, UPDATE and DELETE. What names the rows goes to Cassandra's own parser, in a statement like the one that
 * was written but without its values; only the values may refer to rows. Used by one thread.
 */
final class WriteParser {
    private final Tokens tokens;
    private final SyntaxParser syntax;
    private final WhereParser wheres;

    WriteParser(Tokens tokens, SyntaxParser syntax, WhereParser wheres) {
        this.tokens = tokens;
        this.syntax = syntax;
        this.wheres = wheres;
    }

    Script.Step write(int end) {
        Script.Step write = unguarded(end);
        if (tokens.place() < end && tokens.peek().is("IF")) {
            throw refused(
                    "a condition on a single statement",
                    "bind the row by LET, and put the statement into IF <row> IS NULL THEN ... END IF, or what it asks");
        }
        return write;
    }

    /** Outside of a transaction, where a write may ask first. */
    Script.Step plain(int end) {
        Script.Step write = unguarded(end);
        if (tokens.place() >= end || !tokens.takeIf("IF")) {
            return write;
        } else if (tokens.peek().is("NOT") && tokens.peek(1).is("EXISTS")) {
            tokens.moveTo(tokens.place() + 2);
            return new Script.Guarded(write instanceof Script.Insert insert ? ended(insert, end) : write, false, null);
        } else if (tokens.takeIf("EXISTS")) {
            return new Script.Guarded(write, true, null);
        }
        return new Script.Guarded(write, null, syntax.condition(0, true));
    }

    /** An INSERT says how long it stays behind its IF NOT EXISTS. */
    private Script.Insert ended(Script.Insert insert, int end) {
        return insert.timeToLive() != null
                ? insert
                : new Script.Insert(insert.key(), insert.table(), insert.columns(), insert.values(), timeToLive(end));
    }

    private Script.Step unguarded(int end) {
        Token kind = tokens.take();
        return kind.is("INSERT") ? insert(end) : kind.is("UPDATE") ? update(end) : delete(end);
    }

    private Script.Step insert(int end) {
        tokens.require("INTO");
        Fragment table = table();
        if (tokens.peek().is("JSON")) {
            throw refused("INSERT JSON", "name the columns and their values: INSERT INTO t (...) VALUES (...)");
        }
        tokens.require("(");
        List<Token> names = new ArrayList<>();
        do {
            names.add(word("a column"));
        } while (tokens.takeIf(","));
        tokens.require(")");
        tokens.require("VALUES");
        tokens.require("(");
        List<Script.Syntax> values = new ArrayList<>();
        do {
            values.add(syntax.value(0, false));
        } while (tokens.takeIf(","));
        tokens.require(")");
        Fragment timeToLive = timeToLive(end);
        if (names.size() != values.size()) {
            throw new InvalidRequestException("Unmatched column names/values: " + names.size() + " columns and "
                    + values.size() + " values in an INSERT into " + table);
        }
        StringBuilder columns = new StringBuilder();
        for (Token name : names) {
            columns.append(columns.length() == 0 ? "" : ", ").append(name.text());
        }
        Fragment head = Fragment.of("INSERT INTO").and(table).and("(" + columns + ") VALUES (");
        return new Script.Insert(head, table, names.stream().map(Token::name).toList(), values, timeToLive);
    }

    private Script.Step update(int end) {
        Fragment table = table();
        Fragment timeToLive = timeToLive(end);
        tokens.require("SET");
        List<Script.Assignment> assignments = new ArrayList<>();
        Set<String> columns = new LinkedHashSet<>();
        do {
            columns.add(tokens.peek().text());
            assignments.add(assignment());
        } while (tokens.takeIf(","));
        StringBuilder nothing = new StringBuilder();
        for (String column : columns) {
            nothing.append(nothing.length() == 0 ? "" : ", ").append(column).append(" = null");
        }
        Fragment head = Fragment.of("UPDATE").and(table).and("SET " + nothing);
        return new Script.Update(wheres.write(head, end), table, assignments, timeToLive);
    }

    private Script.Step delete(int end) {
        List<Script.Assignment> targets = new ArrayList<>();
        Set<String> columns = new LinkedHashSet<>();
        if (!tokens.peek().is("FROM")) {
            do {
                columns.add(tokens.peek().text());
                targets.add(target());
            } while (tokens.takeIf(","));
        }
        tokens.require("FROM");
        Fragment table = table();
        if (timeToLive(end) != null) {
            throw refused("USING TTL in a DELETE", "leave it out: what is deleted does not come back");
        }
        Fragment head =
                Fragment.of("DELETE " + String.join(", ", columns) + " FROM").and(table);
        return new Script.Delete(wheres.write(head, end), table, targets);
    }

    private Script.Assignment assignment() {
        Script.Assignment target = target();
        String sign = tokens.peek().text();
        if (!sign.equals("=") && !sign.equals("+=") && !sign.equals("-=")) {
            throw tokens.error("expected =, += or -=");
        }
        tokens.take();
        return new Script.Assignment(target.column(), target.element(), target.field(), sign, syntax.value(0, true));
    }

    private Script.Assignment target() {
        String column = tokens.takeName("a column");
        Fragment element = syntax.element();
        String field = element == null && tokens.takeIf(".") ? tokens.takeName("a field") : null;
        return new Script.Assignment(column, element, field, "-", null);
    }

    private Fragment table() {
        int from = tokens.place();
        word("a table");
        if (tokens.takeIf(".")) {
            word("a table");
        }
        return tokens.fragment(from, tokens.place());
    }

    private Token word(String what) {
        if (tokens.atEnd() || !tokens.peek().isWord()) {
            throw tokens.error("expected " + what);
        }
        return tokens.take();
    }

    /** What stands behind USING TTL; null where nothing is said. */
    private @Nullable Fragment timeToLive(int end) {
        if (tokens.place() >= end || !tokens.takeIf("USING")) {
            return null;
        } else if (tokens.peek().is("TIMESTAMP")) {
            throw timestampRefused();
        }
        tokens.require("TTL");
        int from = tokens.place();
        if (tokens.takeIf(":")) {
            tokens.takeName("a bind marker's name");
        } else if (tokens.peek().isMarker() || tokens.peek().isWholeNumber()) {
            tokens.take();
        } else {
            throw tokens.error("expected a number of seconds or a bind marker");
        }
        Fragment seconds = tokens.fragment(from, tokens.place());
        if (tokens.peek().is("AND") && tokens.peek(1).is("TIMESTAMP")) {
            throw timestampRefused();
        }
        return seconds;
    }

    private static InvalidRequestException timestampRefused() {
        return refused("USING TIMESTAMP", "leave it out: the transaction's place in the order is its time");
    }

    private static InvalidRequestException refused(String what, String cure) {
        return new InvalidRequestException(
                "MeteorShower: " + what + " cannot be used within a transaction: " + cure + ".");
    }
}
