/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * By data centre, the highest known generation of its disk. A disk that was lost takes with it what it had promised and
 * accepted: so promises and acceptances of an older generation must not be counted together with those of a data centre
 * that knows the younger one. Each promise and acceptance carries these numbers for that.
 */
public final class Generations {
    /** Of a disk that was never lost. */
    static final int FIRST = 1;

    private final List<Integer> known;
    private final IntConsumer lost;

    /** The numbers as messages carry them; the same list as long as they stay the same. */
    private List<Integer> told;

    /** @param lost hears of each data centre whose number has grown */
    public Generations(List<Integer> known, IntConsumer lost) {
        this.known = new ArrayList<>(known);
        this.told = List.copyOf(known);
        this.lost = lost;
    }

    public int of(int dc) {
        return known.get(dc);
    }

    public List<Integer> all() {
        return told;
    }

    /** Takes in what a message says. */
    public void learn(List<Integer> theirs) {
        for (int dc = 0; dc < theirs.size(); dc++) {
            raise(dc, theirs.get(dc));
        }
    }

    public void raise(int dc, int generation) {
        if (generation > known.get(dc)) {
            known.set(dc, generation);
            told = List.copyOf(known);
            lost.accept(dc);
        }
    }
}
