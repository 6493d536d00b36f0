/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.Locale;
import java.util.Set;
import org.apache.cassandra.cql3.CqlLexer;

/**
 * A token of CQL.
 *
 * @param text as written
 * @param from where it begins in the text
 * @param to behind its end
 */
record Token(int type, String text, int from, int to) {
    private static final Set<Integer> LITERALS = Set.of(
            CqlLexer.BOOLEAN,
            CqlLexer.DURATION,
            CqlLexer.HEXNUMBER,
            CqlLexer.INTEGER,
            CqlLexer.FLOAT,
            CqlLexer.UUID,
            CqlLexer.STRING_LITERAL,
            CqlLexer.K_NULL,
            CqlLexer.K_POSITIVE_NAN,
            CqlLexer.K_NEGATIVE_NAN,
            CqlLexer.K_POSITIVE_INFINITY,
            CqlLexer.K_NEGATIVE_INFINITY);

    boolean is(String wordOrSign) {
        return text.equalsIgnoreCase(wordOrSign);
    }

    boolean isLiteral() {
        return LITERALS.contains(type);
    }

    boolean isMarker() {
        return type == CqlLexer.QMARK;
    }

    boolean isWholeNumber() {
        return type == CqlLexer.INTEGER;
    }

    boolean isNegativeNumber() {
        return (type == CqlLexer.INTEGER || type == CqlLexer.FLOAT) && text.startsWith("-");
    }

    /** A name or a keyword: in this grammar every keyword may be a name. */
    boolean isWord() {
        return type == CqlLexer.QUOTED_NAME || (!text.isEmpty() && !isLiteral() && Character.isLetter(text.charAt(0)));
    }

    /** As a name: in lower case unless it is quoted. */
    String name() {
        return type == CqlLexer.QUOTED_NAME
                ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
                : text.toLowerCase(Locale.ROOT);
    }

    boolean opens() {
        return is("(") || is("[") || is("{");
    }

    boolean closes() {
        return is(")") || is("]") || is("}");
    }

    /** Whether a value can end here, so that a colon behind it separates a map's key from its value. */
    boolean endsValue() {
        return isLiteral() || isMarker() || isWord() || closes();
    }
}
