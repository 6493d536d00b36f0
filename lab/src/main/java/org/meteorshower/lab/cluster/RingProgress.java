/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what a node logs of its way into the ring or out of it, and of data that is streamed meanwhile; looks a few
 * times a second, on a thread of its own, until it is closed.
 */
final class RingProgress {
    private static final long PAUSE_MILLIS = 200;
    private static final long END_MILLIS = 2_000;

    private static final Pattern MODE =
            Pattern.compile(" - (JOINING|LEAVING|DECOMMISSIONING|DECOMMISSIONED|NORMAL)(?:: (.+))?$");
    private static final Pattern STREAM = Pattern.compile(
            "Prepare completed\\. Receiving ([0-9]+) files\\(([^)]*)\\), sending ([0-9]+) files\\(([^)]*)\\)");
    private static final Pattern SESSION =
            Pattern.compile("\\[Stream #.*\\] Session with [^ ]*?([0-9.]+):[0-9]+ is (.+)$");
    private static final Pattern REMOVAL = Pattern.compile("Removing tokens \\[.*\\] for ");

    private final FreshLines log;
    private final Progress progress;
    private final Thread thread;
    private volatile boolean on = true;
    private String last = "";

    private RingProgress(Path log, Progress progress) {
        this.log = new FreshLines(log);
        this.progress = progress;
        thread = new Thread(this::follow, "ring-progress");
        thread.setDaemon(true);
    }

    static RingProgress of(Path log, Progress progress) {
        RingProgress follower = new RingProgress(log, progress);
        follower.thread.start();
        return follower;
    }

    private void follow() {
        try {
            while (on) {
                tell();
                Thread.sleep(PAUSE_MILLIS);
            }
            tell();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell() {
        for (String said : of(log.readOn())) {
            if (!said.equals(last)) {
                progress.say("  " + said);
                last = said;
            }
        }
    }

    /** What these lines of a log say of it, in words. */
    static List<String> of(String lines) {
        List<String> said = new ArrayList<>();
        for (String line : lines.split("\n")) {
            Matcher mode = MODE.matcher(line);
            Matcher stream = STREAM.matcher(line);
            Matcher session = SESSION.matcher(line);
            if (mode.find()) {
                String word = mode.group(1).toLowerCase(Locale.ROOT);
                said.add(mode.group(2) == null ? word : word + ": " + mode.group(2));
            } else if (stream.find()
                    && !(stream.group(1).equals("0") && stream.group(3).equals("0"))) {
                said.add("streaming: receives " + stream.group(1) + " files (" + stream.group(2) + "), sends "
                        + stream.group(3) + " (" + stream.group(4) + ")");
            } else if (session.find()) {
                said.add("streaming: with " + session.group(1) + " " + session.group(2));
            } else if (REMOVAL.matcher(line).find()) {
                said.add("removing its tokens");
            }
        }
        return said;
    }

    /** Tells what is there yet to tell, and ends. */
    void close() {
        on = false;
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
