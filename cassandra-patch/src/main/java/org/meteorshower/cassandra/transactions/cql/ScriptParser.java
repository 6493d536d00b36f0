/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.exceptions.SyntaxException;

/** Reads {@code BEGIN TRANSACTION ... COMMIT TRANSACTION}. Used by one thread, once. */
final class ScriptParser {
    /** Deeper nesting is refused. */
    static final int MOST_NESTED = 16;

    private final Tokens tokens;
    private final SyntaxParser syntax;
    private final WhereParser wheres;
    private final WriteParser writes;

    private ScriptParser(Tokens tokens) {
        this.tokens = tokens;
        this.syntax = new SyntaxParser(tokens);
        this.wheres = new WhereParser(tokens, syntax);
        this.writes = new WriteParser(tokens, syntax, wheres);
    }

    /** @throws SyntaxException saying where, and what was expected */
    static Script parse(String text) {
        Tokens tokens = new Tokens(text);
        tokens.require("BEGIN");
        tokens.require("TRANSACTION");
        ScriptParser parser = new ScriptParser(tokens);
        List<Script.Step> steps = parser.steps(0);
        if (tokens.peek().is("END")) {
            throw tokens.error("no IF is left to be ended: one END IF ends an IF with all its ELSE IF");
        }
        if (!tokens.takeIf("APPLY")) { // the same: what cqlsh of 5.0 knows as an end
            tokens.require("COMMIT");
        }
        tokens.require("TRANSACTION");
        while (tokens.takeIf(";")) {
            // as many as there are
        }
        if (!tokens.atEnd()) {
            throw tokens.error("nothing may follow COMMIT TRANSACTION");
        }
        if (steps.isEmpty()) {
            throw tokens.error("an empty transaction");
        }
        return new Script(steps, tokens.markerNames());
    }

    /** A statement outside a transaction, or a batch of such, as a transaction of its own. */
    static Script parsePlain(String text) {
        Tokens tokens = new Tokens(text);
        ScriptParser parser = new ScriptParser(tokens);
        List<Script.Step> steps = new ArrayList<>();
        if (tokens.takeIf("BEGIN")) {
            boolean unlogged = tokens.takeIf("UNLOGGED");
            if (!unlogged && tokens.peek().is("COUNTER")) {
                throw tokens.error("counters cannot take part in transactions");
            }
            tokens.require("BATCH");
            if (tokens.peek().is("USING")) {
                throw tokens.error("a transaction's place in the order is its time: leave USING TIMESTAMP out");
            }
            while (!tokens.takeIf("APPLY")) {
                steps.add(parser.plainWrite());
            }
            tokens.require("BATCH");
            if (steps.stream().anyMatch(Script.Guarded.class::isInstance)) {
                steps = List.of(new Script.Batch(steps));
            }
        } else {
            Script.Step step = isWrite(tokens.peek()) ? parser.plainWrite() : parser.step(0);
            steps.add(step instanceof Script.Rows rows ? new Script.Rows(rows.select(), true) : step);
        }
        while (tokens.takeIf(";")) {
            // as many as there are
        }
        if (!tokens.atEnd()) {
            throw tokens.error("one statement was expected");
        }
        return new Script(steps, tokens.markerNames());
    }

    private static boolean isWrite(Token first) {
        return first.is("INSERT") || first.is("UPDATE") || first.is("DELETE");
    }

    private Script.Step plainWrite() {
        if (!isWrite(tokens.peek())) {
            throw tokens.error("expected INSERT, UPDATE or DELETE");
        }
        int end = endOfStatement();
        return ended(writes.plain(end), end);
    }

    private List<Script.Step> steps(int depth) {
        if (depth > MOST_NESTED) {
            throw tokens.error(
                    "IF is nested more than " + MOST_NESTED + " deep; each ELSE IF counts as one deeper than the last");
        }
        List<Script.Step> steps = new ArrayList<>();
        while (!tokens.atEnd() && !endsSteps()) {
            steps.add(step(depth));
        }
        return steps;
    }

    private boolean endsSteps() {
        return endsSteps(tokens.place());
    }

    private boolean endsSteps(int place) {
        Token token = tokens.at(place);
        return token.is("ELSE")
                || (token.is("APPLY") && tokens.at(place + 1).is("BATCH"))
                || ((token.is("COMMIT") || token.is("APPLY"))
                        && tokens.at(place + 1).is("TRANSACTION"))
                || (token.is("END") && tokens.at(place + 1).is("IF"));
    }

    private Script.Step step(int depth) {
        Token first = tokens.peek();
        if (first.is("IF")) {
            return choice(depth);
        }
        int end = endOfStatement();
        Script.Step step;
        if (first.is("LET")) {
            step = let(end);
        } else if (first.is("SELECT")) {
            step = select(end);
        } else if (isWrite(first)) {
            step = writes.write(end);
        } else {
            throw tokens.error("expected LET, SELECT, IF, INSERT, UPDATE, DELETE or COMMIT TRANSACTION");
        }
        return ended(step, end);
    }

    private Script.Step ended(Script.Step step, int end) {
        if (tokens.place() != end) {
            throw tokens.error("not understood");
        }
        tokens.takeIf(";");
        return step;
    }

    private int endOfStatement() {
        int depth = 0;
        for (int i = tokens.place(); ; i++) {
            Token token = tokens.at(i);
            if (token.opens()) {
                depth++;
            } else if (token.closes()) {
                depth--;
            }
            if (token.text().isEmpty() || (depth <= 0 && (token.is(";") || endsSteps(i)))) {
                return i;
            }
        }
    }

    private Script.Step let(int end) {
        tokens.take();
        String name = tokens.takeName("a name");
        tokens.require("=");
        if (!tokens.peek().is("(") || !tokens.peek(1).is("SELECT")) {
            throw tokens.error("LET binds rows: LET name = (SELECT ... WHERE <its key>)."
                    + " Compute where the value is used, as in SET c = name.c - 50");
        }
        int behind = tokens.behindBrackets();
        Script.Address select = wheres.select(tokens.place() + 1, Math.min(behind, end) - 1);
        tokens.moveTo(behind);
        wheres.bind(name);
        return new Script.Let(name, select);
    }

    private Script.Step select(int end) {
        int from = tokens.place();
        boolean rows = false;
        int depth = 0;
        for (int i = from; i < end; i++) {
            if (tokens.at(i).opens()) {
                depth++;
            } else if (tokens.at(i).closes()) {
                depth--;
            }
            rows |= depth == 0 && tokens.at(i).is("FROM");
        }
        if (rows) {
            tokens.moveTo(end);
            return new Script.Rows(wheres.select(from, end), false);
        }
        tokens.take();
        List<Script.Named> values = new ArrayList<>();
        do {
            Script.Syntax value = syntax.value(0, false);
            values.add(new Script.Named(value, tokens.takeIf("AS") ? tokens.takeName("a name") : null));
        } while (tokens.takeIf(","));
        return new Script.Values(values);
    }

    private Script.Step choice(int depth) {
        Script.If choice = branches(depth);
        tokens.require("END");
        tokens.require("IF");
        tokens.takeIf(";");
        return choice;
    }

    /** As in Cassandra 6 one END IF ends an IF with all its ELSE IF. */
    private Script.If branches(int depth) {
        tokens.take();
        Script.Condition condition = syntax.condition(0, false);
        tokens.require("THEN");
        List<Script.Step> then = steps(depth + 1);
        List<Script.Step> otherwise = List.of();
        if (tokens.takeIf("ELSE")) {
            otherwise = tokens.peek().is("IF") ? List.of(branches(depth + 1)) : steps(depth + 1);
        }
        return new Script.If(condition, then, otherwise);
    }
}
