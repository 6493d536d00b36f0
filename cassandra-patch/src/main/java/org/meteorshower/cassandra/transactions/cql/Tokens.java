/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.antlr.runtime.ANTLRStringStream;
import org.antlr.runtime.CommonToken;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.CqlLexer;
import org.apache.cassandra.cql3.ErrorCollector;
import org.apache.cassandra.exceptions.SyntaxException;
import org.jspecify.annotations.Nullable;

/** A text's tokens, as Cassandra's lexer finds them, and a place among them. Used by one thread. */
final class Tokens {
    /** Longer texts are refused. */
    static final int MOST_CHARS = 1 << 20;

    /** Cassandra's parser takes long for what is nested deeper. */
    static final int MOST_BRACKETS = 20;

    private static final Token END = new Token(CqlLexer.EOF, "", 0, 0);

    private final String text;
    private final List<Token> tokens = new ArrayList<>();

    /** Bind markers: the token that one begins with, and its place among all. */
    private final TreeMap<Integer, Integer> markers = new TreeMap<>();

    private final List<@Nullable ColumnIdentifier> markerNames = new ArrayList<>();
    private int next;

    /** @throws SyntaxException if the text is no sequence of tokens */
    Tokens(String text) {
        if (text.length() > MOST_CHARS) {
            throw new SyntaxException("MeteorShower: a transaction of " + text.length() + " characters; at most "
                    + MOST_CHARS + " are read. Bind large values instead of writing them into the text.");
        }
        this.text = text;
        ErrorCollector errors = new ErrorCollector(text);
        CqlLexer lexer = new CqlLexer(new ANTLRStringStream(text));
        lexer.addErrorListener(errors);
        for (CommonToken each = (CommonToken) lexer.nextToken();
                each.getType() != CqlLexer.EOF;
                each = (CommonToken) lexer.nextToken()) {
            if (each.getChannel() == org.antlr.runtime.Token.DEFAULT_CHANNEL) {
                int from = each.getStartIndex();
                int to = each.getStopIndex() + 1;
                tokens.add(new Token(each.getType(), text.substring(from, to), from, to));
            }
        }
        errors.throwFirstSyntaxError();
        findMarkers();
    }

    /** One name per marker; null for a question mark. */
    List<@Nullable ColumnIdentifier> markerNames() {
        return markerNames;
    }

    int place() {
        return next;
    }

    void moveTo(int place) {
        next = place;
    }

    Token peek() {
        return peek(0);
    }

    Token peek(int ahead) {
        return at(next + ahead);
    }

    Token at(int place) {
        return place < tokens.size() ? tokens.get(place) : END;
    }

    boolean atEnd() {
        return next >= tokens.size();
    }

    Token take() {
        Token token = peek();
        if (atEnd()) {
            throw error("the text ends too early");
        }
        next++;
        return token;
    }

    boolean takeIf(String wordOrSign) {
        boolean is = !atEnd() && peek().is(wordOrSign);
        if (is) {
            next++;
        }
        return is;
    }

    void require(String wordOrSign) {
        if (!takeIf(wordOrSign)) {
            throw error("expected " + wordOrSign);
        }
    }

    String takeName(String what) {
        if (!peek().isWord() || atEnd()) {
            throw error("expected " + what);
        }
        return take().name();
    }

    /** Behind the bracket that closes the one here. */
    int behindBrackets() {
        int depth = 0;
        for (int i = next; i < tokens.size(); i++) {
            if (tokens.get(i).opens()) {
                depth++;
            } else if (tokens.get(i).closes() && --depth == 0) {
                return i + 1;
            }
        }
        throw error("a bracket is not closed");
    }

    /** The tokens of these places, as text for Cassandra's parser. */
    Fragment fragment(int from, int to) {
        if (from >= to) {
            throw error("something is missing");
        }
        Map<Integer, Integer> inside = markers.subMap(from, to);
        return new Fragment(text.substring(at(from).from(), at(to - 1).to()), List.copyOf(inside.values()));
    }

    SyntaxException error(String what) {
        Token token = peek();
        int line = 1;
        int until = atEnd() ? text.length() : token.from();
        for (int i = 0; i < until; i++) {
            if (text.charAt(i) == '\n') {
                line++;
            }
        }
        int column = until - text.lastIndexOf('\n', Math.max(0, until - 1)) - 1;
        return new SyntaxException("line " + line + ":" + Math.max(0, column) + " " + what
                + (atEnd() ? " at the end of the text" : " at '" + token.text() + "'")
                + " (in a transaction)");
    }

    private void findMarkers() {
        Deque<String> open = new ArrayDeque<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.opens()) {
                open.push(token.text());
                if (open.size() > MOST_BRACKETS) {
                    next = i;
                    throw error("brackets are nested more than " + MOST_BRACKETS + " deep");
                }
            } else if (token.closes()) {
                open.poll();
            } else if (token.isMarker()) {
                markers.put(i, markerNames.size());
                markerNames.add(null);
            } else if (token.is(":") && at(i + 1).isWord() && i + 1 < tokens.size()) {
                boolean separates =
                        "{".equals(open.peek()) && i > 0 && at(i - 1).endsValue();
                if (!separates) {
                    markers.put(i, markerNames.size());
                    markerNames.add(new ColumnIdentifier(at(i + 1).name(), true));
                }
            }
        }
    }
}
