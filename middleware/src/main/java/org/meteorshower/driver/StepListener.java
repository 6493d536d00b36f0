/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

import java.util.List;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Now;

/** Looks on while the core takes its steps. */
@FunctionalInterface
public interface StepListener {
    /**
     * A step was taken, and none of its effects has been carried out. Called under the core's lock, in the order of the
     * steps: must be quick, must not block, and must not throw, since a node stops where that happens.
     */
    void stepped(Event event, List<Effect> effects, Now now);
}
