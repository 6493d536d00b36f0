/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.Expected;
import org.meteorshower.transactions.chains.Gatherer;
import org.meteorshower.transactions.chains.Touched;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;

/** A transaction's chain as one range sees it. */
final class Part implements Gatherer {
    final long version;
    final Visit visit;

    /** Its rows here, and what it has to itself here. */
    private final Touched touched;

    private final Queue<Part> ready;
    private Expected expected = Expected.NOTHING;
    private boolean gone;

    /** What it looks for, at its turn; null before, and elsewhere. */
    private @Nullable Look look;

    /** So many questions of the turn's range are answered here. */
    private int answered;

    private boolean answering;

    /** What is to be gathered here; null where nothing is. */
    private Holdings.@Nullable Missing missing;

    /** What was gathered of that. */
    private final Map<RowKey, Row> found = new TreeMap<>();

    /** Of all that was gathered here, now and before. */
    private long foundBytes;

    /** @param ready it is added there when it may get on */
    Part(long version, Visit visit, int range, Queue<Part> ready) {
        this.version = version;
        this.visit = visit;
        this.touched = new Touched(visit.rowsIn(range), visit.claimsIn(range));
        this.ready = ready;
    }

    @Override
    public void wake() {
        ready.add(this);
    }

    @Override
    public Touched touches() {
        return touched;
    }

    void expect(Expected rowsToCome) {
        expected = rowsToCome;
    }

    Expected expected() {
        return expected;
    }

    /** Whether it has told the turn's range what the rows hold, and waits for what becomes of them. */
    boolean hasGoneForward() {
        return gone;
    }

    void goneForward() {
        gone = true;
    }

    // --- what it looks for -------------------------------------------------------------------------------------------

    @Nullable
    Look look() {
        return look;
    }

    void look(Look begun) {
        look = begun;
    }

    int answered() {
        return answered;
    }

    void answeredOne() {
        answered++;
        answering = false;
    }

    /** Whether what the next question is about is being gathered, or was. */
    boolean isAnswering() {
        return answering;
    }

    void answer(Holdings.Missing what) {
        answering = true;
        gather(what);
    }

    /** Looks for this here, or for nothing. */
    void gather(Holdings.@Nullable Missing what) {
        missing = what;
        found.clear();
    }

    @Override
    public Holdings.@Nullable Missing missing() {
        return missing;
    }

    @Override
    public void hold(RowKey key, Row row) {
        found.put(key, row);
    }

    @Override
    public void gathered(long bytes) {
        missing = null;
        foundBytes = bytes;
    }

    /** What it has found here; to be asked when it has gathered all. */
    Map<RowKey, Row> found() {
        return found;
    }

    long foundBytes() {
        return foundBytes;
    }

    /** All that it has found it must find again. */
    void lose() {
        look = null;
        answered = 0;
        answering = false;
        missing = null;
        found.clear();
        foundBytes = 0;
    }
}
