/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Settings for a test: the defaults, but for what the test names. */
final class TestSettings {
    int redundancy = Settings.DEFAULTS.redundancy();
    int resendWindow = Settings.DEFAULTS.resendWindow();
    int reorderWindow = Settings.DEFAULTS.reorderWindow();
    long restIntervalMicros = 0;
    boolean lead = false;
    boolean history = true;
    boolean watchClocks = true;
    long dispatchIntervalMicros = Settings.DEFAULTS.dispatchIntervalMicros();
    long clockErrorMicros = Settings.DEFAULTS.clockErrorMicros();
    int maxRecords = Settings.DEFAULTS.maxRecords();
    long recordsBytes = Settings.DEFAULTS.recordsBytes();
    int maxWaitingReads = Settings.DEFAULTS.maxWaitingReads();
    long leaseIdleMicros = Settings.DEFAULTS.leaseIdleMicros();
    int announcementsPerMessage = Settings.DEFAULTS.announcementsPerMessage();

    static TestSettings plain() {
        return new TestSettings();
    }

    TestSettings redundancy(int messages) {
        redundancy = messages;
        return this;
    }

    TestSettings windows(int messages) {
        resendWindow = messages;
        reorderWindow = messages;
        return this;
    }

    TestSettings restInterval(long micros) {
        restIntervalMicros = micros;
        return this;
    }

    TestSettings withoutWatchingClocks() {
        watchClocks = false;
        return this;
    }

    TestSettings clockError(long micros) {
        clockErrorMicros = micros;
        return this;
    }

    TestSettings dispatchInterval(long micros) {
        dispatchIntervalMicros = micros;
        return this;
    }

    TestSettings withLead() {
        lead = true;
        return this;
    }

    TestSettings withoutHistory() {
        history = false;
        return this;
    }

    TestSettings maxRecords(int records) {
        maxRecords = records;
        return this;
    }

    TestSettings recordsBytes(long bytes) {
        recordsBytes = bytes;
        return this;
    }

    TestSettings maxWaitingReads(int reads) {
        maxWaitingReads = reads;
        return this;
    }

    TestSettings announcementsPerMessage(int announcements) {
        announcementsPerMessage = announcements;
        return this;
    }

    TestSettings leaseIdle(long micros) {
        leaseIdleMicros = micros;
        return this;
    }

    Settings build() {
        Settings d = Settings.DEFAULTS;
        return new Settings(
                dispatchIntervalMicros,
                restIntervalMicros,
                d.minFlushMicros(),
                redundancy,
                resendWindow,
                reorderWindow,
                clockErrorMicros,
                watchClocks,
                d.maxAheadMicros(),
                1_000_000,
                lead,
                history,
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                maxRecords,
                recordsBytes,
                maxWaitingReads,
                announcementsPerMessage,
                leaseIdleMicros);
    }
}
