/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checkers that are not ours, each started when it is asked first. */
final class Judges implements AutoCloseable {
    static final String PORCUPINE = "Porcupine";
    static final String ELLE = "Elle";

    private final Path cache;
    private final Path folder;
    private final @Nullable String classpath;
    private final Duration atMost;
    private final List<String> missing = new ArrayList<>();
    private final List<Runnable> ends = new ArrayList<>();
    private @Nullable ReadComparisons reads;
    private @Nullable TransactionComparisons transactions;
    private boolean readsTried;
    private boolean transactionsTried;

    /**
     * @param cache where programs are built
     * @param folder of files that are written and deleted
     * @param classpath of Clojure and Elle; null where it is not known
     * @param atMost how long Porcupine may take for a question
     */
    Judges(Path cache, Path folder, @Nullable String classpath, Duration atMost) {
        this.cache = cache;
        this.folder = folder;
        this.classpath = classpath;
        this.atMost = atMost;
    }

    /** Null where Porcupine is missing. */
    @Nullable
    ReadComparisons reads() throws IOException, InterruptedException {
        if (!readsTried) {
            readsTried = true;
            try {
                Porcupine porcupine = Porcupine.start(cache);
                ends.add(porcupine::close);
                reads = new ReadComparisons(porcupine, folder, atMost);
            } catch (MissingJudgeException e) {
                missing.add(String.valueOf(e.getMessage()));
            }
        }
        return reads;
    }

    /** Null where Elle is missing. */
    @Nullable
    TransactionComparisons transactions() throws IOException {
        if (!transactionsTried) {
            transactionsTried = true;
            try {
                Elle elle = Elle.start(cache, classpath);
                ends.add(elle::close);
                transactions = new TransactionComparisons(elle, folder);
            } catch (MissingJudgeException e) {
                missing.add(String.valueOf(e.getMessage()));
            }
        }
        return transactions;
    }

    /** What was asked for and is not there, in words. */
    List<String> missing() {
        return missing;
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
