/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Locale;

/** What can be done to a data centre of real nodes. */
enum FaultKind {
    KILL("kill -9, and a restart", true),
    STOP("a stop in good order, and a restart", true),
    ROLLING_RESTART("all nodes restarted, one after the other", true),
    PAUSE("SIGSTOP, and SIGCONT", true),
    CUT("cut off from all others", true),
    MUTE("hears the others, and is not heard", true),
    SLOW("far away: four times the delay, and jitter", false),
    LOSS("some messages lost", false),
    CLOCK("a clock that is minutes off", false),
    FULL_DISK("a disk that takes nothing more, and a restart", true),
    SLOW_DISK("a disk that makes each write of the journal some milliseconds longer", true),
    REPLACE("kill -9 and a lost disk; another node takes its place", true),
    DISABLE("the table disabled, and enabled again", false),
    WITHOUT_PLUGIN("all nodes run without the plugin for a while, one after the other", true),
    UPGRADE(
            "all nodes, one after the other, speak an older version between themselves, and then the newer one again",
            true);

    private final String text;
    private final boolean disabling;

    FaultKind(String text, boolean disabling) {
        this.text = text;
        this.disabling = disabling;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String text() {
        return text;
    }

    /** Whether nodes have to start again when it is over. */
    boolean restartsNodes() {
        return switch (this) {
            case KILL, STOP, ROLLING_RESTART, FULL_DISK, REPLACE, WITHOUT_PLUGIN, UPGRADE -> true;
            default -> false;
        };
    }

    /** Whether nobody is spared: all nodes end in turn, or the table is not served until all have followed. */
    boolean concernsAll() {
        return switch (this) {
            case ROLLING_RESTART, REPLACE, DISABLE, WITHOUT_PLUGIN, UPGRADE -> true;
            default -> false;
        };
    }

    /** Whether the data centre is of no use to anybody meanwhile, so that only the others must go on as if nothing were. */
    boolean isDisabling() {
        return disabling;
    }
}
