/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.nio.ByteBuffer;
import org.meteorshower.protocol.Update;

/** Turns updates into bytes for the wire and the journal. Thread-safe. */
public interface UpdateCodec {
    byte[] encode(Update update);

    /**
     * @throws IllegalArgumentException if the bytes are no update, or one of a table that is not known here; the
     *     message says which
     */
    Update decode(ByteBuffer bytes);
}
