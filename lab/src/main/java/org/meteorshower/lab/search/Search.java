/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Searches for plans that make a core do what it has not done yet. Deterministic where one thread asks for plans and
 * tells what became of them. Thread-safe.
 */
public final class Search {
    private static final int DRAWN_FOR_HULL = 60;
    static final long MOST_SEEDS = 1_000_000;
    private static final int MOST_SORTS = 20;
    private static final int SORT_LENGTH = 60;

    /** Of this share of plans another one is drawn, so that what the corpus has not is not forgotten. */
    private static final double FRESH = 0.15;

    /**
     * How to search.
     *
     * @param seed decides what is tried
     * @param kind plans of its families alone; null: of all
     * @param onlyDrawn whether plans are drawn and never changed: to compare with
     * @param corpus where plans are kept; null: in memory alone
     * @param corpusBytes that they may take
     */
    public record Options(
            long seed,
            @Nullable String kind,
            boolean onlyDrawn,
            @Nullable Path corpus,
            long corpusBytes) {}

    /** A plan to be run. */
    public record Candidate(Family family, ObjectNode plan) {}

    /** A plan that a verifier complained of. */
    public record Failure(Family family, ObjectNode plan, Subject.Ran ran) {}

    /** How far it is. */
    public record Figures(long plans, long operations, int features, int corpus, long corpusBytes, long failures) {}

    private final Subject subject;
    private final Options options;
    private final List<Family> families;
    private final SplittableRandom random;
    private final Coverage coverage = new Coverage();
    private final Corpus corpus;
    private final Map<String, Hull> hulls = new HashMap<>();
    private final ArrayDeque<Candidate> left = new ArrayDeque<>();
    private final List<Failure> failures = new ArrayList<>();
    private long plans;
    private long operations;
    private long failed;

    /**
     * Throws {@link IllegalArgumentException} where no family has plans of that kind.
     *
     * @param subject is asked for drawn plans, from whichever thread asks for plans
     */
    public Search(Subject subject, String model, Options options) {
        this.subject = subject;
        this.options = options;
        this.random = new SplittableRandom(options.seed());
        this.corpus = new Corpus(model, options.corpus(), options.corpusBytes(), coverage);
        this.families = familiesOf(subject, options.kind());
        Map<String, Family> known = new HashMap<>();
        families.forEach(family -> known.put(family.name(), family));
        for (PlanFile file : corpus.left()) {
            Family family = known.get(file.family());
            if (family != null) {
                left.add(new Candidate(family, file.plan()));
            }
        }
    }

    /**
     * The families that have plans of a kind.
     *
     * @param kind null: all
     * @throws IllegalArgumentException if none has
     */
    public static List<Family> familiesOf(Subject subject, @Nullable String kind) {
        List<Family> families = subject.families().stream()
                .filter(family -> kind == null || family.kinds().contains(kind))
                .toList();
        if (families.isEmpty()) {
            throw new IllegalArgumentException(
                    "--kind: no plans of kind " + kind + " are searched; ./meteor simulate --kind runs drawn ones");
        }
        return families;
    }

    /** What to run next: first what an earlier search has left. */
    public synchronized Candidate next() {
        Candidate again = left.poll();
        if (again != null) {
            return again;
        }
        for (int attempt = 0; attempt < 20 && corpus.size() > 0 && !options.onlyDrawn(); attempt++) {
            if (random.nextDouble() >= FRESH) {
                Corpus.Chosen parent = corpus.choose(random);
                Family family = parent.family();
                ObjectNode other = corpus.any(family, random);
                if (other == null || random.nextBoolean()) {
                    other = drawn(family);
                }
                ObjectNode child = mutations(family).child(parent.plan(), other);
                if (subject.mend(family, child)) {
                    return new Candidate(family, child);
                }
            } else {
                break;
            }
        }
        Family family = families.get(random.nextInt(families.size()));
        return new Candidate(family, drawn(family));
    }

    private ObjectNode drawn(Family family) {
        String kind = family.kinds().get(random.nextInt(family.kinds().size()));
        ObjectNode plan = subject.drawn(kind, random.nextLong(MOST_SEEDS));
        subject.mend(family, plan);
        return plan;
    }

    private Mutations mutations(Family family) {
        return new Mutations(family, hulls.computeIfAbsent(family.name(), name -> hull(family)), random);
    }

    /** Of plans that are the same in every search. */
    private Hull hull(Family family) {
        List<ObjectNode> drawn = new ArrayList<>();
        for (int i = 0; i < DRAWN_FOR_HULL || i < family.kinds().size(); i++) {
            ObjectNode plan =
                    subject.drawn(family.kinds().get(i % family.kinds().size()), i);
            subject.mend(family, plan);
            drawn.add(plan);
        }
        return new Hull(family, drawn);
    }

    /** What became of it. Returns whether a verifier complained in words that were not yet heard of this family. */
    public synchronized boolean ran(Candidate candidate, Subject.Ran ran) {
        plans++;
        operations += ran.operations();
        Features fresh = coverage.add(ran.features());
        if (ran.complaint() != null) {
            failed++;
            return isOfANewSort(candidate, ran);
        }
        if (fresh.count() > 0) {
            corpus.add(candidate.family(), candidate.plan(), fresh, ran.operations());
        }
        return false;
    }

    private boolean isOfANewSort(Candidate candidate, Subject.Ran ran) {
        String sort = sort(candidate, ran);
        if (failures.size() == MOST_SORTS
                || failures.stream().anyMatch(known -> sort(new Candidate(known.family(), known.plan()), known.ran())
                        .equals(sort))) {
            return false;
        }
        failures.add(new Failure(candidate.family(), candidate.plan(), ran));
        return true;
    }

    /** The complaint's beginning, whatever the numbers in it. */
    private static String sort(Candidate candidate, Subject.Ran ran) {
        String complaint = String.valueOf(ran.complaint()).replaceAll("[0-9]+", "#");
        return candidate.family().name() + " " + complaint.substring(0, Math.min(SORT_LENGTH, complaint.length()));
    }

    public synchronized Figures figures() {
        return new Figures(plans, operations, coverage.count(), corpus.size(), corpus.bytes(), failed);
    }

    /** One of each sort, in the order in which they were found. */
    public synchronized List<Failure> failures() {
        return List.copyOf(failures);
    }
}
