/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

import java.io.PrintWriter;

/**
 * Where a command that takes a while speaks: lines that stay, and on a terminal one line at the bottom that changes,
 * and colours. Thread-safe.
 */
public final class Display implements AutoCloseable {
    private static final String CLEAR_LINE = "\r\033[K";
    private static final String RESET = "\033[0m";

    private final PrintWriter out;
    private final boolean terminal;
    private boolean live;
    private final Thread quiet = new Thread(this::silence, "display-quiet");
    private boolean silent;

    public Display(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** A command's own display, to be closed: it falls silent where the process is told to end meanwhile. */
    public static Display of(PrintWriter out) {
        Display display = new Display(out, isTerminal());
        Runtime.getRuntime().addShutdownHook(display.quiet);
        return display;
    }

    /** Whether standard output is a terminal that wants colours. */
    @SuppressWarnings("SystemConsoleNull") // null without a terminal, up to JDK 21; nodes and tool run on 17
    public static boolean isTerminal() {
        return System.console() != null && System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"));
    }

    /** Prints a line, or several. */
    public synchronized void say(String text) {
        if (!silent) {
            clear();
            out.println(text);
            out.flush();
        }
    }

    /** Shows what is going on, until the next call of anything. */
    public synchronized void live(String line) {
        if (terminal && !silent) {
            out.print(CLEAR_LINE + dim(line));
            out.flush();
            live = true;
        }
    }

    /** Prints an error, to where errors go. */
    public synchronized void tell(PrintWriter err, String text) {
        if (!silent) {
            clear();
            out.flush();
            err.println(text);
            err.flush();
        }
    }

    /** Takes the changing line away. */
    @Override
    public void close() {
        synchronized (this) {
            clear();
            out.flush();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(quiet);
        } catch (IllegalStateException e) {
            // The process is ending already.
        }
    }

    /** Prints nothing any more. */
    public synchronized void silence() {
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

    public String bold(String text) {
        return coloured("\033[1m", text);
    }

    public String dim(String text) {
        return coloured("\033[2m", text);
    }

    public String good(String text) {
        return coloured("\033[32m", text);
    }

    public String bad(String text) {
        return coloured("\033[31m", text);
    }

    private String coloured(String code, String text) {
        return terminal ? code + text + RESET : text;
    }
}
