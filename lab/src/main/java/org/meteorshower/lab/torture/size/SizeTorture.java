/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.torture.RunClock;

/** One run: phase after phase, each on nodes of its own. For one thread; the nodes end with it. */
final class SizeTorture {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);

    private final Installation installation;
    private final SizeOptions options;
    private final Display display;
    private final RunFolder folder;

    SizeTorture(Installation installation, SizeOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        this.display = display;
        folder = new RunFolder(installation, "torture-size");
    }

    /** Throws {@link ClusterException} where it cannot go on; nothing is left running then. */
    SizeResult run() throws InterruptedException {
        try {
            Files.createDirectories(options.report());
        } catch (IOException e) {
            throw new ClusterException("cannot make " + options.report() + ": " + e.getMessage(), e);
        }
        RunClock clock = RunClock.start();
        List<PhaseResult> results = new ArrayList<>();
        for (PhaseKind kind : options.phases()) {
            PhaseResult result = run(kind, clock, soFar -> {
                List<PhaseResult> all = new ArrayList<>(results);
                all.add(soFar);
                write(new SizeResult(options, all));
            });
            results.add(result);
            write(new SizeResult(options, results));
            SizeReport.lines(result).forEach(display::say);
        }
        if (Files.exists(picture())) {
            display.say("the timeline is drawn in " + picture());
        }
        return new SizeResult(options, results);
    }

    /** @param soFar told every now and then, for those who look while it runs, and in case it cannot go on */
    private PhaseResult run(PhaseKind kind, RunClock clock, Consumer<PhaseResult> soFar) throws InterruptedException {
        ClusterOptions cluster = options.cluster(kind);
        display.say("");
        display.say("== " + kind.word() + ", heaps of " + cluster.heapMegabytes() + " MB, loads for "
                + options.length(kind).toSeconds() + " s");
        LocalCluster nodes = LocalCluster.start(installation, folder.claim(cluster), cluster, BOOT_LIMIT, display::say);
        try (PhaseRun run = new PhaseRun(options, kind, nodes, display, clock, soFar)) {
            kind.phase().run(run);
            return run.end();
        } catch (DriverException e) {
            throw new ClusterException("phase " + kind.word() + " could not go on: " + e.getMessage(), e);
        } finally {
            display.live("stopping the nodes");
            nodes.close();
        }
    }

    private void write(SizeResult result) {
        if (options.json() != null) {
            Json.write(SizeReport.json(result), options.json());
        }
        try {
            Files.writeString(picture(), SizeSvg.of(result));
        } catch (IOException e) {
            display.say("the timeline could not be drawn in " + picture() + ": " + e.getMessage());
        }
    }

    private Path picture() {
        return options.report().resolve("size.svg");
    }
}
