/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.lab.power.JournalProcess.Beside;

/**
 * The journal alone, in a process of its own, on a disk that forgets: what it said was safe is there after each loss of
 * power, and it always opens. Small segments, so that they are reused all the time. {@code -Dpower.cuts=} more of them.
 */
final class JournalPowerIT {
    private static final String DISK = "eu-1";
    private static final int CUTS = Integer.getInteger("power.cuts", 8);
    private static final double[] SHARES = {0, 0.1, 0.5, 0.9};

    @BeforeEach
    void mountable() {
        PowerDisks.obstacle().ifPresent(reason -> abort(reason));
    }

    /** @param strict whether a name is safe only when its folder was forced; else as with ext4 */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasSafeIsThere(boolean strict, @TempDir Path folder) throws Exception {
        run(strict, Beside.NOTHING, CUTS, folder);
    }

    /** Nobody waits for the store's own log; so the journal forgets once that is on disk. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasSafeIsThereOrInTheStoresLog(boolean strict, @TempDir Path folder) throws Exception {
        run(strict, Beside.LOG, (CUTS + 1) / 2, folder);
    }

    @Test
    void aJournalThatForgetsBeforeThatLosesSomething(@TempDir Path folder) {
        assertThatThrownBy(() -> run(false, Beside.LOG_NOT_AWAITED, 50, folder))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is lost");
    }

    private static void run(boolean strict, Beside beside, int cuts, Path folder) throws Exception {
        Random random = new Random(Long.getLong("power.seed", 1));
        Set<Long> safe = new HashSet<>();
        PowerDisks.Kind kind = new PowerDisks.Kind(strict, List.of());
        try (PowerDisks disks = PowerDisks.mount(folder.resolve("disks"), kind, List.of(DISK))) {
            for (int cut = 1; cut <= cuts; cut++) {
                List<String> said = untilThePowerGoes(disks, beside, random.nextInt(400));
                double share = SHARES[random.nextInt(SHARES.length)];
                check("loss " + cut, said, safe, beside != Beside.NOTHING);
                disks.on(DISK, share, random.nextLong());
            }
        }
    }

    /** What the journal said. */
    private static List<String> untilThePowerGoes(PowerDisks disks, Beside beside, int millis) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JournalProcess.class.getName(),
                        disks.folder(DISK).toString(),
                        beside.name())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> said = new ArrayList<>();
            String found = lines.readLine();
            said.add(String.valueOf(found));
            CompletableFuture<Void> cut = CompletableFuture.runAsync(() -> cut(disks, child, millis));
            lines.lines().forEach(said::add);
            cut.get(1, TimeUnit.MINUTES);
            return said;
        } finally {
            child.destroyForcibly();
            child.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static void cut(PowerDisks disks, Process child, int millis) {
        try {
            Thread.sleep(millis);
            disks.off(List.of(DISK));
            child.toHandle().destroyForcibly();
            disks.killed(List.of(DISK));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * @param safe what must be there; afterwards what must be there the next time
     * @param forGood whether what is retired is to be there, too
     */
    private static void check(String where, List<String> said, Set<Long> safe, boolean forGood) {
        assertThat(said.get(0)).as(where + ": " + String.join("\n", said)).startsWith("found");
        Set<Long> found = new HashSet<>(numbers(said.get(0)));
        assertThat(safe.stream().filter(number -> !found.contains(number)).toList())
                .as(where + ": what was safe, and is lost")
                .isEmpty();
        safe.clear();
        safe.addAll(found);
        for (String line : said.subList(1, said.size())) {
            if (line.startsWith("safe")) {
                safe.addAll(numbers(line));
            } else if (line.startsWith("retire") && !forGood) {
                numbers(line).forEach(safe::remove);
            }
        }
    }

    private static List<Long> numbers(String line) {
        return Arrays.stream(line.split(" ")).skip(1).map(Long::valueOf).toList();
    }
}
