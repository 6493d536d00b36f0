/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.meteorshower.driver.CoreDriver;
import org.meteorshower.driver.Entering;
import org.meteorshower.driver.Ports;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.SequentialReads;

/** The driver as it is, of a node that can die between two effects of a step, and that some mistakes are made in. */
final class SimulatedDriver extends CoreDriver {
    /** The mistake of doing things twice is made with one effect of so many. */
    private static final int TWICE_IN = 7;

    /** So many entries of the journal are kept back by the mistake of writing it later. */
    private static final int KEPT_BACK = 20;

    /** What ends a node between two effects; the driver takes it for one that could not be carried out. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Death() {
            super("died", null, false, false);
        }
    }

    private final Ports ports;
    private final Bug bug;
    private final Consumer<Effect> watch;
    private int effectsUntilDeath = -1;
    private boolean dies;
    private int carriedOut;

    /** Of the mistake of writing the journal later. */
    private final ArrayDeque<Effect> late = new ArrayDeque<>();

    /** @param watch hears of each effect in the moment in which it is carried out */
    SimulatedDriver(SequentialReads core, Ports ports, Bug bug, Consumer<Effect> watch) {
        super(core, ports);
        this.ports = ports;
        this.bug = bug;
        this.watch = watch;
    }

    /** Dies in the middle of the next step that stamps something, so many of its effects carried out and others not. */
    void dieWithinAStep(int effects) {
        effectsUntilDeath = effects;
    }

    @Override
    protected void carryOut(List<Effect> effects) {
        dies = effectsUntilDeath >= 0 && effects.stream().anyMatch(effect -> effect instanceof Effect.JournalApplied);
        if (bug == Bug.GOES_ON_AFTER_FAILURE) {
            effects.forEach(this::carryOutOrGoOn);
        } else {
            super.carryOut(inTheirOrder(effects));
        }
    }

    private void carryOutOrGoOn(Effect effect) {
        try {
            carryOut(effect);
        } catch (Death e) {
            if (!isForTheJournal(effect)) {
                throw e;
            }
        }
    }

    private List<Effect> inTheirOrder(List<Effect> effects) {
        if (bug == Bug.EFFECTS_REVERSED) {
            List<Effect> reversed = new ArrayList<>(effects);
            Collections.reverse(reversed);
            return reversed;
        } else if (bug == Bug.JOURNAL_LATE) {
            List<Effect> others = new ArrayList<>();
            effects.forEach(effect -> (isForTheJournal(effect) ? late : others).add(effect));
            while (late.size() > KEPT_BACK) {
                others.add(late.removeFirst());
            }
            return others;
        }
        return effects;
    }

    private static boolean isForTheJournal(Effect effect) {
        return effect instanceof Effect.JournalApplied || effect instanceof Effect.PersistCeiling;
    }

    @Override
    protected void carryOut(Effect effect) {
        if (dies && outlives(effect) && effectsUntilDeath-- == 0) {
            throw new Death();
        }
        watch.accept(effect);
        super.carryOut(effect);
        if (bug == Bug.EFFECT_TWICE && ++carriedOut % TWICE_IN == 0) {
            super.carryOut(effect);
        }
    }

    /** Whether it matters after a crash that it was carried out. */
    private static boolean outlives(Effect effect) {
        return !(effect instanceof Effect.Stirred || effect instanceof Effect.Rested);
    }

    /** The mistake is to refuse what the core has taken. */
    @Override
    protected void refuse(Entering entering, String obstacle) {
        if (bug == Bug.TAKEN_AND_REFUSED) {
            var unused = core().step(new Event.Intended(entering.update(), null, 0, Integer.MAX_VALUE), ports.now());
        }
        super.refuse(entering, obstacle);
    }
}
