/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.List;

/** The protocol core of one node. */
public final class SequentialReads {
    public List<Effect> step(Event event, Now now) {
        return List.of();
    }
}
