/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a WHERE that refers to rows which LETs have bound; others are left to Cassandra. Used by one thread. */
final class WhereParser {
    private static final Set<String> SIGNS = Set.of("=", "<", "<=", ">", ">=");
    private static final Set<String> BEHIND = Set.of("ORDER", "GROUP", "PER", "LIMIT", "ALLOW");

    private final Tokens tokens;
    private final SyntaxParser syntax;
    private final Set<String> bound = new HashSet<>();

    WhereParser(Tokens tokens, SyntaxParser syntax) {
        this.tokens = tokens;
        this.syntax = syntax;
    }

    /** From here on the name is one of a row. */
    void bind(String name) {
        bound.add(name);
    }

    /** Whether a row is referred to between these places. */
    private boolean refers(int from, int to) {
        for (int i = from; i + 2 < to; i++) {
            if (tokens.at(i).isWord()
                    && tokens.at(i + 1).is(".")
                    && tokens.at(i + 2).isWord()
                    && bound.contains(tokens.at(i).name())) {
                return true;
            }
        }
        return false;
    }

    /** A SELECT between these places. The place among the tokens stays as it is. */
    Script.Address select(int from, int to) {
        int where = find(from, to, Set.of("WHERE"));
        int behind = find(where, to, BEHIND);
        if (!refers(where, behind)) {
            return new Script.Address(tokens.fragment(from, to));
        }
        int place = tokens.place();
        tokens.moveTo(where);
        List<Script.Relation> relations = relations(behind);
        tokens.moveTo(place);
        return new Script.Address(
                tokens.fragment(from, where), relations, behind == to ? Fragment.of("") : tokens.fragment(behind, to));
    }

    private int find(int from, int to, Set<String> words) {
        int depth = 0;
        for (int i = from; i < to; i++) {
            Token token = tokens.at(i);
            if (token.opens()) {
                depth++;
            } else if (token.closes()) {
                depth--;
            } else if (depth == 0 && words.stream().anyMatch(token::is)) {
                return i;
            }
        }
        return to;
    }

    /**
     * The WHERE that begins here.
     *
     * @param head what stands before it
     */
    Script.Address write(Fragment head, int end) {
        int from = tokens.place();
        if (!tokens.peek().is("WHERE")) {
            throw tokens.error("expected WHERE with the row's whole primary key");
        }
        int to = find(from, end, Set.of("IF"));
        if (refers(from, to)) {
            return new Script.Address(head, relations(to), Fragment.of(""));
        }
        tokens.moveTo(to);
        return new Script.Address(head.and(tokens.fragment(from, to)));
    }

    private List<Script.Relation> relations(int end) {
        List<Script.Relation> relations = new ArrayList<>();
        tokens.require("WHERE");
        do {
            relations.add(relation(find(tokens.place(), end, Set.of("AND"))));
        } while (tokens.place() < end && tokens.takeIf("AND"));
        return relations;
    }

    private Script.Relation relation(int to) {
        int from = tokens.place();
        Fragment text = tokens.fragment(from, to);
        if (tokens.at(from).isWord() && SIGNS.contains(tokens.at(from + 1).text())) {
            String column = tokens.takeName("a column");
            String sign = tokens.take().text();
            Script.@Nullable Syntax value = syntax.value(0, false);
            if (tokens.place() != to) {
                throw tokens.error("not understood");
            }
            return new Script.Relation(text, column, sign, value);
        } else if (refers(from, to)) {
            throw tokens.error(
                    "a WHERE may compare one clustering column with what refers to a row (c = r.x, c <= r.x + 1),"
                            + " by =, <, <=, > or >=, and nothing else with it");
        }
        tokens.moveTo(to);
        return new Script.Relation(text, null, "", null);
    }
}
