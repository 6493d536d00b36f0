/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.List;
import org.meteorshower.protocol.Message;

/** What travels, by number. A batch is what one node sends to another in one step: it arrives together. */
record Pools(Pool<Message> messages, Pool<List<Integer>> batches, Pool<Parcel> parcels) {
    Pools() {
        this(Pool.byStructure(), Pool.byEquality(), Pool.byStructure());
    }
}
