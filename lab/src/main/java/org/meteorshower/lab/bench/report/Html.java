/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.meteorshower.lab.console.Markup;

/** Writes HTML that is also well-formed XML: every element is closed, every text escaped. For one thread. */
final class Html {
    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** @param attributes names and values in turn */
    Html open(String element, String... attributes) {
        begin(element, attributes);
        out.append('>');
        open.push(element);
        return this;
    }

    Html close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    Html text(String text) {
        out.append(Markup.escaped(text));
        return this;
    }

    /** An element with nothing but text in it. */
    Html leaf(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** An element with nothing in it. */
    Html empty(String element, String... attributes) {
        begin(element, attributes);
        out.append("/>");
        return this;
    }

    /** What is HTML already. */
    Html raw(String html) {
        out.append(html).append('\n');
        return this;
    }

    /** A row of a table. */
    Html row(String cell, List<String> texts) {
        open("tr");
        for (String text : texts) {
            leaf(cell, text);
        }
        return close().line();
    }

    Html line() {
        out.append('\n');
        return this;
    }

    private void begin(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i + 1 < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(Markup.escaped(attributes[i + 1]))
                    .append('"');
        }
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }
}
