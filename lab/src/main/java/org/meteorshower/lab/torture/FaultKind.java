/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            true),
    JOIN("one more node joins", false),
    DECOMMISSION("a node leaves in good order", false),
    ENABLE("a table that holds data is enabled while it is used", false),
    RF("one replica more in a data centre, with the repair that Cassandra asks for, and one less", false),
    DC_OUTAGE("kill -9 of all its nodes, down for most of a minute or longer, and a restart", true),
    OUTAGE("kill -9 of all nodes at one moment, and a restart of all", true),
    KILL_RUNNER("kill -9 of the node that runs a data centre's transactions, and a restart", false),
    STOP_RUNNER("a stop of that node in good order, and a restart", false),
    PAUSE_RUNNER("SIGSTOP of that node, and SIGCONT", false);

    private final String text;
    private final boolean disabling;

    FaultKind(String text, boolean disabling) {
        this.text = text;
        this.disabling = disabling;
    }

    /** What is done to nodes that serve reads at cuts where nothing is named. */
    static List<FaultKind> ofReads() {
        return allOfReads().stream()
                .filter(kind -> !kind.isChange() && kind != DC_OUTAGE)
                .toList();
    }

    /** What can be done to them where it is named. */
    static List<FaultKind> allOfReads() {
        return Stream.of(values())
                .filter(kind -> kind != OUTAGE && !kind.isRunners())
                .toList();
    }

    /** What an operator changes: over when it is done, and undone by nothing but another change. */
    boolean isChange() {
        return this == JOIN || this == DECOMMISSION || this == ENABLE || this == RF;
    }

    /**
     * What is done to nodes that run transactions: the plugin's journal has no part in these, and a table cannot be
     * taken out for a while.
     *
     * @param dcs three or more, or only single nodes may be struck
     * @param nodesPerDc three or more, or only whole data centres may be struck
     */
    static List<FaultKind> ofTransactions(int dcs, int nodesPerDc) {
        List<FaultKind> kinds = new ArrayList<>();
        if (dcs >= 3) {
            kinds.addAll(List.of(KILL, STOP, PAUSE, CUT, MUTE, FULL_DISK));
        }
        if (dcs > 1) {
            kinds.addAll(List.of(SLOW, LOSS));
        }
        kinds.addAll(List.of(ROLLING_RESTART, CLOCK, UPGRADE, OUTAGE));
        if (nodesPerDc >= 3) {
            kinds.addAll(List.of(KILL_RUNNER, STOP_RUNNER, PAUSE_RUNNER));
        }
        return kinds;
    }

    private boolean isRunners() {
        return this == KILL_RUNNER || this == STOP_RUNNER || this == PAUSE_RUNNER;
    }

    /** @throws IllegalArgumentException if none of these is called so */
    static FaultKind named(String word, List<FaultKind> kinds) {
        return kinds.stream()
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault is called '" + word + "'; there are "
                        + String.join(", ", kinds.stream().map(FaultKind::word).toList()) + ":\n" + list(kinds)));
    }

    /** Each of them by its word and what is done, for people to choose from. */
    static String list(List<FaultKind> kinds) {
        return kinds.stream()
                .map(kind -> String.format(Locale.ROOT, "  %-16s %s", kind.word(), kind.text()))
                .collect(Collectors.joining("\n"));
    }

    /** What people call it. Where sessions read and write, an outage is that of a data centre. */
    String word() {
        return this == DC_OUTAGE ? "outage" : name().toLowerCase(Locale.ROOT);
    }

    String text() {
        return text;
    }

    /** Whether nodes have to start again when it is over. */
    boolean restartsNodes() {
        return switch (this) {
            case KILL,
                    STOP,
                    ROLLING_RESTART,
                    FULL_DISK,
                    REPLACE,
                    WITHOUT_PLUGIN,
                    UPGRADE,
                    JOIN,
                    DECOMMISSION,
                    DC_OUTAGE,
                    OUTAGE,
                    KILL_RUNNER,
                    STOP_RUNNER -> true;
            default -> false;
        };
    }

    /** Whether nobody is spared: all nodes end in turn, or the table is not served until all have followed. */
    boolean concernsAll() {
        return switch (this) {
            case ROLLING_RESTART, REPLACE, DISABLE, WITHOUT_PLUGIN, UPGRADE, JOIN, DECOMMISSION, ENABLE, RF, OUTAGE ->
                true;
            default -> false;
        };
    }

    /**
     * Whether the data centre is of no use to anybody meanwhile, so that only the others must go on as if nothing were.
     */
    boolean isDisabling() {
        return disabling;
    }
}
