/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

/** Looks at how a text begins, without reading it all: every statement that a node is sent passes here. Stateless. */
final class Beginning {
    private Beginning() {}

    static boolean isTransaction(String text) {
        return is(text, "BEGIN");
    }

    /** Whether it is about sessions, and not a transaction itself. */
    static boolean isAboutSessions(String text) {
        return is(text, "OPEN") || is(text, "RESOLVE");
    }

    /** Whether it registers or drops a procedure. */
    static boolean isAboutProcedures(String text) {
        return is(text, "CREATE", "PROCEDURE") || is(text, "DROP", "PROCEDURE");
    }

    /** Whether it calls a procedure. */
    static boolean isCall(String text) {
        return isWord(text, skipBlank(text, 0), "CALL");
    }

    private static boolean is(String text, String verb) {
        return is(text, verb, "TRANSACTION");
    }

    private static boolean is(String text, String verb, String object) {
        int begin = skipBlank(text, 0);
        return isWord(text, begin, verb) && isWord(text, skipBlank(text, begin + verb.length()), object);
    }

    private static boolean isWord(String text, int from, String word) {
        int end = from + word.length();
        return text.regionMatches(true, from, word, 0, word.length())
                && (end == text.length() || !(Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_'));
    }

    /** Over blanks and comments. */
    private static int skipBlank(String text, int from) {
        int at = from;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("--", at) || text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end + 1;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                at = end < 0 ? text.length() : end + 2;
            } else {
                break;
            }
        }
        return at;
    }
}
