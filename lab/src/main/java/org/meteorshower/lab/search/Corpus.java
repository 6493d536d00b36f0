/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Plans each of which made a core do what none before it did. Those are more often chosen whose features few runs have,
 * for what they cost; where there is no more room the least of them go. Not thread-safe.
 */
final class Corpus {
    private static final String PREFIX = "plan-";
    private static final String SUFFIX = ".json";
    private static final int WEIGH_EVERY = 64;

    private static final class Entry {
        private final String name;
        private final Family family;
        private final ObjectNode plan;
        private final Features own;
        private final long cost;
        private final int bytes;
        private double weight;

        Entry(String name, Family family, ObjectNode plan, Features own, long cost, int bytes) {
            this.name = name;
            this.family = family;
            this.plan = plan;
            this.own = own;
            this.cost = cost;
            this.bytes = bytes;
        }
    }

    /** A plan and whose family it is of. */
    record Chosen(Family family, ObjectNode plan) {}

    private final String model;
    private final @Nullable Path folder;
    private final long mostBytes;
    private final Coverage coverage;
    private final List<Entry> entries = new ArrayList<>();
    private double allWeights;
    private int untilWeighed;
    private long bytes;

    /**
     * @param folder where plans are kept; null: in memory alone
     * @param mostBytes of all plans together, in files or in memory
     */
    Corpus(String model, @Nullable Path folder, long mostBytes, Coverage coverage) {
        this.model = model;
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.coverage = coverage;
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }

    /** What an earlier search of this model has left, in the order of the files' names; the files stay. */
    List<PlanFile> left() {
        List<Path> files = new ArrayList<>();
        if (folder != null) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
                found.forEach(files::add);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the corpus in " + folder + ": " + e.getMessage(), e);
            }
        }
        return files.stream()
                .sorted()
                .map(PlanFile::read)
                .filter(file -> file.model().equals(model))
                .toList();
    }

    /**
     * Throws {@link UncheckedIOException} where it cannot be written.
     *
     * @param own features that no run had before
     * @param cost of a run, in operations or so
     */
    void add(Family family, ObjectNode plan, Features own, long cost) {
        PlanFile file = new PlanFile(model, family.name(), plan, null);
        byte[] text = file.text().getBytes(StandardCharsets.UTF_8);
        Entry entry = new Entry(nameOf(text), family, plan, own, cost, text.length + 4 * own.count());
        if (entries.stream().noneMatch(each -> each.name.equals(entry.name))) {
            entries.add(entry);
            bytes += entry.bytes;
            untilWeighed = 0;
            if (folder != null) {
                file.write(folder.resolve(entry.name));
            }
            makeRoom();
        }
    }

    private static String nameOf(byte[] text) {
        long hash = 0;
        for (byte each : text) {
            hash = 0x100000001b3L * (hash ^ each);
        }
        return PREFIX + String.format("%016x", hash) + SUFFIX;
    }

    private void makeRoom() {
        if (bytes > mostBytes) {
            weigh();
            entries.sort(Comparator.comparingDouble(entry -> -entry.weight));
            while (bytes > mostBytes * 9 / 10 && entries.size() > 1) {
                Entry least = entries.remove(entries.size() - 1);
                bytes -= least.bytes;
                delete(least);
            }
            untilWeighed = 0;
        }
    }

    private void delete(Entry entry) {
        if (folder != null) {
            try {
                Files.deleteIfExists(folder.resolve(entry.name));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete a plan in " + folder + ": " + e.getMessage(), e);
            }
        }
    }

    private void weigh() {
        allWeights = 0;
        for (Entry entry : entries) {
            entry.weight = Math.sqrt((0.02 + coverage.rarity(entry.own)) / (1.0 + entry.cost));
            allWeights += entry.weight;
        }
    }

    /** There must be one. */
    Chosen choose(SplittableRandom random) {
        if (untilWeighed-- <= 0) {
            weigh();
            untilWeighed = WEIGH_EVERY;
        }
        double left = random.nextDouble() * allWeights;
        for (Entry entry : entries) {
            left -= entry.weight;
            if (left < 0) {
                return new Chosen(entry.family, entry.plan);
            }
        }
        Entry last = entries.get(entries.size() - 1);
        return new Chosen(last.family, last.plan);
    }

    /** Any plan of the family; null where there is none. */
    @Nullable
    ObjectNode any(Family family, SplittableRandom random) {
        List<Entry> same =
                entries.stream().filter(entry -> entry.family.equals(family)).toList();
        return same.isEmpty() ? null : same.get(random.nextInt(same.size())).plan;
    }
}
