/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads values and conditions. Used by one thread. */
final class SyntaxParser {
    /** Deeper nesting is refused. */
    static final int MOST_NESTED = 16;

    /** A longer row of sums, or of conditions, is refused. */
    static final int MOST_TERMS = 24;

    private static final Set<String> COMPARISONS = Set.of("=", "!=", "<", "<=", ">", ">=");
    private static final Set<String> ASKING = Set.of("=", "!=", "<", "<=", ">", ">=", "IS", "IN", "AND", "OR");

    private final Tokens tokens;

    SyntaxParser(Tokens tokens) {
        this.tokens = tokens;
    }

    /** @param own whether a bare name is a column of the row that is asked about */
    Script.Condition condition(int depth, boolean own) {
        List<Script.Condition> parts = new ArrayList<>();
        do {
            parts.add(conjunction(depth, own));
        } while (tokens.takeIf("OR"));
        return parts.size() == 1 ? parts.get(0) : new Script.Any(parts);
    }

    /** @param own whether a bare name is a column of the row that is being updated */
    Script.Syntax value(int depth, boolean own) {
        requireShallow(depth);
        Script.Syntax value = product(depth, own);
        for (int terms = 1; ; terms++) {
            if (terms > MOST_TERMS) {
                throw tokens.error("more than " + MOST_TERMS + " terms in a row");
            } else if (tokens.peek().is("+") || tokens.peek().is("-")) {
                String sign = tokens.take().text();
                value = new Script.Arithmetic(sign, value, product(depth, own));
            } else if (tokens.peek().isNegativeNumber()) { // "a -5", which the lexer takes for two numbers
                value = new Script.Arithmetic("+", value, product(depth, own));
            } else {
                return value;
            }
        }
    }

    private Script.Condition conjunction(int depth, boolean own) {
        List<Script.Condition> parts = new ArrayList<>();
        do {
            parts.add(part(depth, own));
        } while (tokens.takeIf("AND"));
        return parts.size() == 1 ? parts.get(0) : new Script.All(parts);
    }

    private Script.Condition part(int depth, boolean own) {
        requireShallow(depth);
        if (tokens.peek().is("(") && asks()) {
            tokens.take();
            Script.Condition inner = condition(depth + 1, own);
            tokens.require(")");
            return inner;
        } else if (tokens.peek().is("NOT")) {
            throw tokens.error("NOT is not known: turn the comparison around, or use ELSE");
        }
        Script.Syntax left = value(depth + 1, own);
        if (tokens.takeIf("IS")) {
            boolean negated = tokens.takeIf("NOT");
            tokens.require("NULL");
            return new Script.IsNull(left, negated);
        } else if (tokens.takeIf("IN")) {
            return in(left, depth, own);
        }
        String sign = tokens.peek().text();
        if (!COMPARISONS.contains(sign)) {
            throw tokens.error("expected a comparison (= != < <= > >=), IN, IS NULL or IS NOT NULL");
        }
        tokens.take();
        return new Script.Compared(sign, left, value(depth + 1, own));
    }

    private Script.Condition in(Script.Syntax left, int depth, boolean own) {
        if (!tokens.peek().is("(")) {
            int from = tokens.place();
            if (tokens.peek().isMarker()) {
                tokens.take();
            } else {
                tokens.require(":");
                tokens.takeName("a bind marker");
            }
            return new Script.InMarker(left, tokens.fragment(from, tokens.place()));
        }
        tokens.take();
        List<Script.Syntax> choices = new ArrayList<>();
        if (!tokens.peek().is(")")) {
            do {
                choices.add(value(depth + 1, own));
            } while (tokens.takeIf(","));
        }
        tokens.require(")");
        return new Script.In(left, choices);
    }

    /** Whether the brackets here hold a condition, and not a value. */
    private boolean asks() {
        int behind = tokens.behindBrackets();
        int depth = 0;
        for (int i = tokens.place(); i < behind; i++) {
            Token token = tokens.at(i);
            if (token.opens()) {
                depth++;
            } else if (token.closes()) {
                depth--;
            } else if (token.isWord() || COMPARISONS.contains(token.text())) {
                for (String each : ASKING) {
                    if (token.is(each)) {
                        return true;
                    }
                }
            }
        }
        return depth != 0;
    }

    private Script.Syntax product(int depth, boolean own) {
        Script.Syntax value = single(depth, own);
        for (int terms = 1;
                tokens.peek().is("*") || tokens.peek().is("/") || tokens.peek().is("%");
                terms++) {
            if (terms > MOST_TERMS) {
                throw tokens.error("more than " + MOST_TERMS + " terms in a row");
            }
            String sign = tokens.take().text();
            value = new Script.Arithmetic(sign, value, single(depth, own));
        }
        return value;
    }

    private Script.Syntax single(int depth, boolean own) {
        requireShallow(depth);
        Token token = tokens.peek();
        int from = tokens.place();
        if (tokens.atEnd()) {
            throw tokens.error("expected a value");
        } else if (token.isLiteral() || token.isMarker()) {
            tokens.take();
        } else if (token.is(":")) {
            tokens.take();
            tokens.takeName("a bind marker's name");
        } else if (token.is("[") || token.is("{")) {
            tokens.moveTo(tokens.behindBrackets());
        } else if (token.is("(")) {
            return bracketed(depth, own);
        } else if (token.isWord()) {
            if (isCall()) {
                tokens.moveTo(tokens.place() + (tokens.peek(1).is("(") ? 1 : 3));
                tokens.moveTo(tokens.behindBrackets());
            } else {
                return reference(own);
            }
        } else {
            throw tokens.error("expected a value");
        }
        return new Script.Leaf(tokens.fragment(from, tokens.place()));
    }

    /** {@code name(...)} or {@code keyspace.name(...)}. */
    private boolean isCall() {
        return tokens.peek(1).is("(")
                || (tokens.peek(1).is(".")
                        && tokens.peek(2).isWord()
                        && tokens.peek(3).is("("));
    }

    /** A value in brackets, a tuple, or a type before a value. */
    private Script.Syntax bracketed(int depth, boolean own) {
        int from = tokens.place();
        int behind = tokens.behindBrackets();
        boolean tuple = false;
        int open = 0;
        for (int i = from; i < behind; i++) {
            if (tokens.at(i).opens()) {
                open++;
            } else if (tokens.at(i).closes()) {
                open--;
            }
            tuple |= open == 1 && tokens.at(i).is(",");
        }
        boolean typed = tokens.peek(1).isWord() && startsValue(tokens.at(behind));
        if (tuple && !typed) {
            tokens.moveTo(behind);
        } else if (typed) {
            tokens.moveTo(behind);
            single(depth + 1, own); // what the type is for: Cassandra reads both
        } else {
            tokens.take();
            Script.Syntax value = value(depth + 1, own);
            tokens.require(")");
            return value;
        }
        return new Script.Leaf(tokens.fragment(from, tokens.place()));
    }

    private static boolean startsValue(Token token) {
        return (token.isLiteral() && !token.isNegativeNumber())
                || token.isMarker()
                || token.is(":")
                || token.is("(")
                || token.is("[")
                || token.is("{");
    }

    private Script.Syntax reference(boolean own) {
        String name = tokens.takeName("a name");
        if (!tokens.takeIf(".")) {
            return own ? ownPart(name) : new Script.Reference(name, null, null, null);
        }
        if (tokens.takeIf("*")) {
            return new Script.Reference(name, null, null, null);
        }
        String column = tokens.takeName("a column");
        Fragment element = element();
        String field = element == null && tokens.takeIf(".") ? tokens.takeName("a field") : null;
        return new Script.Reference(name, column, element, field);
    }

    private Script.Syntax ownPart(String name) {
        if (tokens.peek().is("[")) {
            throw tokens.error("an element of the updated row's own collection: bind the row by LET, and write <name>."
                    + name + "[...]");
        }
        return new Script.Own(name);
    }

    @Nullable
    Fragment element() {
        if (!tokens.peek().is("[")) {
            return null;
        }
        int behind = tokens.behindBrackets();
        Fragment element = tokens.fragment(tokens.place() + 1, behind - 1);
        tokens.moveTo(behind);
        return element;
    }

    private void requireShallow(int depth) {
        if (depth > MOST_NESTED) {
            throw tokens.error("nested more than " + MOST_NESTED + " deep");
        }
    }
}
