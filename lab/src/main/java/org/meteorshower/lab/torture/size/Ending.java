/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.torture.RunClock;

/** After the loads: waits until all is as before, and looks for what was acknowledged. For one thread. */
final class Ending {
    private static final long TICK_MILLIS = 500;
    private static final int MOST_RECORDS_AT_REST = 100;

    private final LocalCluster cluster;
    private final DataCentres others;
    private final Display display;
    private final RunClock clock;
    private final List<String> unread = new ArrayList<>();

    Ending(LocalCluster cluster, DataCentres others, Display display, RunClock clock) {
        this.cluster = cluster;
        this.others = others;
        this.display = display;
        this.clock = clock;
    }

    /** Empty as soon as all is as before; at this moment, why it is not. */
    String settle(@Nullable HotMix mix, long deadline) throws InterruptedException {
        String obstacle = obstacle(mix);
        while (!obstacle.isEmpty() && System.nanoTime() - deadline < 0) {
            display.live(clock.stamp() + "not as before yet: " + obstacle);
            Thread.sleep(TICK_MILLIS);
            obstacle = obstacle(mix);
        }
        return obstacle;
    }

    private String obstacle(@Nullable HotMix mix) {
        for (NodeSpec node : cluster.nodes()) {
            if (!cluster.isRunning(node.name())) {
                return node.name() + " has no process";
            }
            String obstacle = new TableProbe(others.session(node.dc())).obstacle(MOST_RECORDS_AT_REST);
            if (!obstacle.isEmpty()) {
                return node.name() + ": " + obstacle;
            }
        }
        return mix == null ? "" : mix.difference();
    }

    /** How many acknowledged rows are not there, summed over data centres. Adds to the violations what nobody wrote. */
    long lost(String table, Ledger ledger, List<String> violations, long deadline) throws InterruptedException {
        long lost = 0;
        if (ledger.rows() > 0) {
            for (String dc : others.names()) {
                lost += lost(dc, table, ledger, violations, deadline);
            }
        }
        return lost;
    }

    private long inNoSnapshot(String dc, String table, Ledger ledger, List<Integer> missing) {
        List<Integer> lost;
        try {
            lost = LostRows.inNoSnapshot(others.session(dc), table, ledger, missing);
        } catch (ClusterException | DriverException e) {
            unread.add(missing.size() + " rows are not in " + table + " in " + dc + ", nor can they be read: "
                    + e.getMessage());
            return 0;
        }
        if (lost.size() < missing.size()) {
            unread.add(missing.size() - lost.size() + " rows are still not in " + table + " in " + dc
                    + ", though a snapshot shows them");
        }
        return lost.size();
    }

    /** What could not be read, or is not where it belongs yet. */
    List<String> unread() {
        return List.copyOf(unread);
    }

    /** Whether every node has a process, so that there is somebody to ask. */
    boolean allRun() {
        return cluster.nodes().stream().allMatch(node -> cluster.isRunning(node.name()));
    }

    private boolean runs(String dc) {
        return cluster.nodes().stream().anyMatch(node -> node.dc().equals(dc) && cluster.isRunning(node.name()));
    }

    private long lost(String dc, String table, Ledger ledger, List<String> violations, long deadline)
            throws InterruptedException {
        if (!runs(dc)) {
            unread.add(table + " cannot be read in " + dc + ", where no node runs");
            return 0;
        }
        display.live(clock.stamp() + "reading all of " + table + " in " + dc);
        LostRows.Found found = LostRows.in(others.session(dc), table, ledger, deadline);
        violations.addAll(found.wrong());
        if (!found.failure().isEmpty()) {
            unread.add(table + " cannot be read whole in " + dc + ": " + found.failure());
            return 0; // what was not read is not known to be lost
        }
        if (!found.lost().isEmpty() && table.equals(SizeTables.BULK)) {
            return inNoSnapshot(dc, table, ledger, found.lost());
        } else if (!found.lost().isEmpty()) {
            display.say(found.lost().size() + " rows of " + table + " are lost in " + dc + ", the first of them "
                    + found.lost().subList(0, Math.min(5, found.lost().size())));
        }
        return found.lost().size();
    }
}
