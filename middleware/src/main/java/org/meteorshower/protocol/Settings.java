/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * The protocol's constants at one node. Durations in microseconds unless the name says otherwise.
 *
 * @param dispatchIntervalMicros Δ: a status message leaves at least this often for every peer that needs them (§4.2.2;
 *     the paper: 10 ms, to all)
 * @param restIntervalMicros the same towards a peer that has not asked for word of late, where nothing is in flight;
 *     not above Δ: status messages never rest
 * @param minFlushMicros the least time between two status messages to one peer that acknowledgements ask for
 * @param redundancy how many earlier payloads a status message repeats; 0..8
 * @param resendWindow how many sent messages a stream keeps for re-requests; beyond it the stream starts anew
 * @param reorderWindow how many messages ahead of a gap a receiver keeps; beyond it the stream starts anew
 * @param clockErrorMicros ε: what clocks may differ by for the modes that lean on them
 * @param watchClocks whether strict is withdrawn where the peers' clocks seem to differ by nearly ε
 * @param maxAheadMicros how far ahead of the physical clock a message, token or mutation may be before it is refused
 * @param ceilingStepMicros how far the persisted ceiling F runs ahead of the hybrid clock
 * @param lead whether a write's timestamp leads by the one-way delay to the w-th nearest replica
 * @param history whether rows' earlier content is kept while mutations are in flight
 * @param settleAfterMicros age at which an incomplete mutation is sent to the replicas that lack it
 * @param pullAfterMicros how long a read waits before it asks the others for their status
 * @param streamTimeoutMicros silence after which a stream is asked for anew
 * @param maxRecords how many mutation records are kept before a silent peer is declared stale
 * @param recordsBytes what mutation records may take on the heap, by estimate, before a silent peer is declared stale
 * @param maxWaitingReads how many reads may wait; one more is refused
 * @param announcementsPerMessage how many entries one message carries at most
 * @param leaseIdleMicros a node that has not used tables with strict reads at home for so long asks for no promises any
 *     more; 0: never
 */
public record Settings(
        long dispatchIntervalMicros,
        long restIntervalMicros,
        long minFlushMicros,
        int redundancy,
        int resendWindow,
        int reorderWindow,
        long clockErrorMicros,
        boolean watchClocks,
        long maxAheadMicros,
        long ceilingStepMicros,
        boolean lead,
        boolean history,
        long settleAfterMicros,
        long pullAfterMicros,
        long streamTimeoutMicros,
        int maxRecords,
        long recordsBytes,
        int maxWaitingReads,
        int announcementsPerMessage,
        long leaseIdleMicros) {
    public static final Settings DEFAULTS = new Settings(
            10_000,
            100_000,
            500,
            1,
            512,
            512,
            5_000,
            true,
            900_000_000L,
            1_000_000,
            true,
            true,
            300_000,
            500_000,
            3_000_000,
            1_000_000,
            256L << 20,
            10_000,
            1_000,
            60_000_000);

    /** These, but for what records may take. */
    public Settings withRecordsBytes(long bytes) {
        return new Settings(
                dispatchIntervalMicros,
                restIntervalMicros,
                minFlushMicros,
                redundancy,
                resendWindow,
                reorderWindow,
                clockErrorMicros,
                watchClocks,
                maxAheadMicros,
                ceilingStepMicros,
                lead,
                history,
                settleAfterMicros,
                pullAfterMicros,
                streamTimeoutMicros,
                maxRecords,
                bytes,
                maxWaitingReads,
                announcementsPerMessage,
                leaseIdleMicros);
    }
}
