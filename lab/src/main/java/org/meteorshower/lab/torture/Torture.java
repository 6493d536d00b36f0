/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;

/**
 * One run: nodes, clients, faults, verdict. What the clients do, and what must be true of it, is up to those that
 * extend this. For one thread; the nodes end with it.
 *
 * @param <W> the clients
 * @param <R> what comes of the run
 */
abstract class Torture<W extends TortureWorkload<?>, R extends TortureResult> {
    /** After the last fault, and before the clients end: all goes on as if nothing had been. */
    static final Duration CALM = Duration.ofSeconds(3);

    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final Duration LIVE_EACH = Duration.ofSeconds(1);

    private final Installation installation;
    private final TortureOptions options;
    private final RunFolder folder;
    private final Display display;

    /** Where a run takes place, and since when. */
    record Scene(LocalCluster cluster, DataCentres dataCentres, RunClock clock) {}

    /** @param name of the folder that the nodes live in */
    Torture(Installation installation, String name, TortureOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        this.display = display;
        folder = new RunFolder(installation, name);
    }

    // What differs.

    abstract void createTables(DataCentres dataCentres);

    abstract Operator operator(Scene scene);

    /** The clients, which have begun. */
    abstract W begin(Scene scene);

    /** Once all faults are undone: ends the clients, in good order, and judges. */
    abstract R end(Scene scene, W workload, List<FaultSpan> spans) throws InterruptedException;

    /** Writes what the clients saw to a file; returns a sentence that says so. */
    abstract String keepHistory(R result, Path file) throws IOException;

    /** Of the picture. */
    abstract String title(R result);

    /** What else a run has been doing so far, in words; nothing unless a kind of run says otherwise. */
    String moreProgress() {
        return "";
    }

    /** Ends what else a run has begun, however it ended. */
    void cleanUp() {}

    // What is the same.

    /** Throws {@link ClusterException} where it cannot go on; nothing is left running then. */
    final R run() throws InterruptedException {
        LocalCluster cluster = LocalCluster.start(
                installation, folder.claim(options.cluster()), options.cluster(), BOOT_LIMIT, display::say);
        try (DataCentres dataCentres = new DataCentres(cluster.nodes(), REQUEST_LIMIT)) {
            createTables(dataCentres);
            return run(new Scene(cluster, dataCentres, RunClock.start()));
        } finally {
            cleanUp();
            display.live("stopping the nodes");
            cluster.close();
        }
    }

    private R run(Scene scene) throws InterruptedException {
        FaultPlan plan = new FaultPlan(options.seed(), scene.dataCentres().names(), options.faults());
        try (W workload = begin(scene)) {
            FaultRunner faults = new FaultRunner(scene, plan, operator(scene), line -> say(scene, line));
            Thread live = new Thread(() -> show(scene, workload), "torture-live");
            live.setDaemon(true);
            live.start();
            faults.run(scene.clock().epochNanos() + options.length().toNanos());
            R result = end(scene, workload, faults.spans());
            live.interrupt();
            keepHistory(result);
            draw(result);
            return result;
        }
    }

    final Display display() {
        return display;
    }

    /** Says something, and when it was. */
    final void say(Scene scene, String line) {
        display.say(scene.clock().stamp() + line);
    }

    private void show(Scene scene, W workload) {
        try {
            while (workload.isOn()) {
                long seconds =
                        options.length().toSeconds() - (long) scene.clock().seconds();
                display.live(scene.clock().stamp() + workload.progress() + moreProgress() + "; " + Math.max(0, seconds)
                        + " s to go");
                Thread.sleep(LIVE_EACH.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void draw(R result) {
        TortureFigures figures = result.figures();
        try {
            Files.writeString(options.timeline(), TimelineSvg.of(figures.timeline(), figures.spans(), title(result)));
            display.say("the timeline is drawn in " + options.timeline());
        } catch (IOException e) {
            display.say("the timeline could not be drawn in " + options.timeline() + ": " + e.getMessage());
        }
    }

    /** Where it was asked for, and in any case where something is wrong. */
    private void keepHistory(R result) {
        Path asked = options.history();
        if (asked == null && result.isRight()) {
            return;
        }
        Path file = asked == null ? folder.failedHistory() : asked;
        try {
            display.say(keepHistory(result, file));
        } catch (IOException e) {
            display.say("what the clients saw could not be kept in " + file + ": " + e.getMessage());
        }
    }
}
