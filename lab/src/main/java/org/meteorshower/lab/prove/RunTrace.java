/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run that was written down for ReadsAtACutTrace.tla.
 *
 * @param seed of the simulator
 * @param programs what the sessions do: a tuple of TLA+
 * @param keys of the writes: a tuple
 * @param times how many different times there are
 * @param steps a tuple each
 */
record RunTrace(long seed, String programs, String keys, int times, List<String> steps) {
    private static final int HEAD = 3;
    private static final Pattern PART = Pattern.compile("<<[^<>]*>>|\"[^\"]*\"|-?\\d+");

    /** @param lines as of {@link org.meteorshower.lab.simulate.RecordedRuns#record}, more than one */
    static RunTrace of(long seed, List<String> lines) {
        return new RunTrace(
                seed,
                lines.get(0),
                lines.get(1),
                Integer.parseInt(lines.get(2)),
                List.copyOf(lines.subList(HEAD, lines.size())));
    }

    int sessions() {
        // The programs' tuple has a tuple for each session, and these have none.
        return (int) programs.chars().filter(each -> each == '<').count() / 2 - 1;
    }

    int writes() {
        return (int) keys.chars().filter(each -> each == '"').count() / 2;
    }

    /** As a record of TLA+. */
    String text() {
        return "[sessions |-> " + sessions() + ", programs |-> " + programs + ", keys |-> " + keys + ", steps |-> <<\n"
                + String.join(",\n", steps) + ">>]";
    }

    /** A step in words, counted from 1. */
    String describe(int step) {
        String text = steps.get(step - 1);
        String[] parts = parts(text.substring(2, text.length() - 2));
        String node = "n" + parts[1];
        return switch (parts[0]) {
            case "begin" ->
                String.format(
                        Locale.ROOT,
                        "session %s begins W%s of %s at n%s with timestamp %s",
                        parts[1],
                        parts[3],
                        parts[5],
                        parts[2],
                        parts[4]);
            case "stamp" -> node + " stamps W" + parts[2] + " with " + parts[3] + ", having promised " + parts[4];
            case "again" -> node + " stamps W" + parts[2] + " again, with " + parts[3];
            case "store" -> node + " has W" + parts[2] + " in its store";
            case "late" -> node + " acknowledges W" + parts[2] + ", which it has not stamped, with " + parts[3];
            case "hear" -> node + " has heard n" + parts[2] + " up to " + parts[3] + ", and its stamps " + parts[4];
            case "ask" -> node + " is told by n" + parts[2] + " that W" + parts[3] + " is done with";
            case "retire" -> node + " forgets W" + parts[2];
            case "read" ->
                String.format(
                        Locale.ROOT,
                        "session %s reads %s at n%s at cut %s: %s",
                        parts[1],
                        parts[5],
                        parts[2],
                        parts[3],
                        shown(parts[4]));
            case "end" -> "session " + parts[1] + " is told that its write is done; its token is " + parts[2];
            case "give-up" -> "session " + parts[1] + " does not know what became of its write";
            case "restart" -> node + " restarts with the stamps " + parts[2];
            default -> text;
        };
    }

    private static String shown(String write) {
        return write.equals("0") ? "nothing" : write.equals("-1") ? "what nobody wrote" : "W" + write;
    }

    private static String[] parts(String text) {
        Matcher matcher = PART.matcher(text);
        return matcher.results().map(part -> part.group().replace("\"", "")).toArray(String[]::new);
    }
}
