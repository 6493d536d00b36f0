/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.Effect.Alarm;

/** Hears what an operator must hear. Called with the node's lock held: must be quick and must not call back. */
@FunctionalInterface
public interface AlarmListener {
    void alarm(Alarm alarm);
}
