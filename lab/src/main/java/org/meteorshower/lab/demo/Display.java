/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.io.PrintWriter;

/**
 * Where the demo speaks: lines that stay, and on a terminal one line at the bottom that changes, and colours. Thread-safe.
 */
final class Display {
    private static final String CLEAR_LINE = "\r\033[K";
    private static final String RESET = "\033[0m";

    private final PrintWriter out;
    private final boolean terminal;
    private boolean live;
    private boolean silent;

    Display(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Whether standard output is a terminal that wants colours. */
    @SuppressWarnings("SystemConsoleNull") // null without a terminal, up to JDK 21; nodes and tool run on 17
    static boolean isTerminal() {
        return System.console() != null && System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"));
    }

    /** Prints a line, or several. */
    synchronized void say(String text) {
        if (!silent) {
            clear();
            out.println(text);
            out.flush();
        }
    }

    /** Shows what is going on, until the next call of anything. */
    synchronized void live(String line) {
        if (terminal && !silent) {
            out.print(CLEAR_LINE + dim(line));
            out.flush();
            live = true;
        }
    }

    /** Prints an error, to where errors go. */
    synchronized void tell(PrintWriter err, String text) {
        if (!silent) {
            clear();
            out.flush();
            err.println(text);
            err.flush();
        }
    }

    /** Takes the changing line away. */
    synchronized void finish() {
        clear();
        out.flush();
    }

    /** Prints nothing any more. */
    synchronized void silence() {
        if (!silent) {
            clear();
            out.flush();
        }
        silent = true;
    }

    private void clear() {
        if (live) {
            out.print(CLEAR_LINE);
            live = false;
        }
    }

    String bold(String text) {
        return coloured("\033[1m", text);
    }

    String dim(String text) {
        return coloured("\033[2m", text);
    }

    String good(String text) {
        return coloured("\033[32m", text);
    }

    String bad(String text) {
        return coloured("\033[31m", text);
    }

    private String coloured(String code, String text) {
        return terminal ? code + text + RESET : text;
    }
}
