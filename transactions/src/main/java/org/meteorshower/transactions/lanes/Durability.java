/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/**
 * Group commit: records gather while a few batches are on their way, and leave together. What depends on a record is
 * done when its batch is durable and the fence, read after that, still is this process's: so whatever a younger process
 * has read of the store before it began holds every record that this one has ever acted on.
 */
public final class Durability {
    private static final int MOST_UNDER_WAY = 4;

    private final Turn turn;
    private final long life;
    private List<Durable> records = new ArrayList<>();
    private List<Runnable> actions = new ArrayList<>();
    private final Map<Long, List<Runnable>> underWay = new HashMap<>();
    private long batches;

    public Durability(Turn turn, long life) {
        this.turn = turn;
        this.life = life;
    }

    /** @param then done once the record is durable; never where this process dies or is fenced before */
    public void write(Durable record, Runnable then) {
        records.add(record);
        actions.add(then);
    }

    /** To be called at the end of a step. */
    public void flush() {
        if (!records.isEmpty() && underWay.size() < MOST_UNDER_WAY) {
            long batch = ++batches;
            underWay.put(batch, actions);
            turn.emit(new Effect.Persist(batch, records));
            records = new ArrayList<>();
            actions = new ArrayList<>();
        }
    }

    public boolean isFenced(long fence) {
        return fence != life;
    }

    public void persisted(long batch) {
        List<Runnable> done = underWay.remove(batch);
        if (done != null) {
            done.forEach(Runnable::run);
        }
    }
}
