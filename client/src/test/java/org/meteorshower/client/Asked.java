/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Map;

/** A statement as a fake node received it; a batch has the text "BATCH". */
record Asked(String node, String query, Map<String, ByteBuffer> payload, int consistency, ByteBuffer pagingState) {

    SessionToken token() {
        return SessionToken.parse(payload.get(PayloadKeys.TOKEN));
    }

    String text(String key) {
        return Payload.text(payload, key);
    }

    /** Of a transaction. */
    long number() {
        return payload.get(PayloadKeys.TRANSACTIONS_SEQUENCE).getLong(0);
    }

    String mode() {
        return Payload.text(payload, PayloadKeys.MODE);
    }
}
