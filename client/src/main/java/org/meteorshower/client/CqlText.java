/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The bare words of a CQL text: no comments, literals, quoted names or numbers. Enough to tell a read from a write; not
 * a parser. Words are in upper case.
 */
final class CqlText {

    private final String text;
    private int at;

    private CqlText(String text) {
        this.text = text;
    }

    /** The first word, or "" if there is none. */
    static String firstWord(String text) {
        return new CqlText(text).next();
    }

    static List<String> words(String text) {
        CqlText scanner = new CqlText(text);
        List<String> words = new ArrayList<>();
        for (String word = scanner.next(); !word.isEmpty(); word = scanner.next()) {
            words.add(word);
        }
        return words;
    }

    private String next() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (text.startsWith("--", at) || text.startsWith("//", at)) {
                skipLine();
            } else if (text.startsWith("/*", at)) {
                skipTo("*/", at + 2);
            } else if (text.startsWith("$$", at)) {
                skipTo("$$", at + 2);
            } else if (c == '\'' || c == '"') {
                // A doubled quote inside a literal reads as two literals side by side: same words.
                skipTo(String.valueOf(c), at + 1);
            } else if (isWordPart(c)) {
                return word();
            } else {
                at++;
            }
        }
        return "";
    }

    private String word() {
        int start = at;
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at).toUpperCase(Locale.ROOT);
    }

    private void skipLine() {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
    }

    private void skipTo(String end, int from) {
        int found = text.indexOf(end, from);
        at = found < 0 ? text.length() : found + end.length();
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
