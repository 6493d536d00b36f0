/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import org.jspecify.annotations.Nullable;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Transport.Receiver;
import org.meteorshower.wan.WanEmulator;

/**
 * What every connection of one transport needs to know. Immutable; its parts are thread-safe.
 *
 * @param outgoing what waits for all peers, or is being written to their connections
 * @param incoming the requests of calls that are being served
 */
record Ends(
        TransportOptions options,
        PeerDirectory directory,
        MessageCodec codec,
        @Nullable WanEmulator wan,
        Receiver receiver,
        TransportCounters counters,
        ReceivedCounts received,
        RefusalLog log,
        ByteAccount outgoing,
        ByteAccount incoming) {}
