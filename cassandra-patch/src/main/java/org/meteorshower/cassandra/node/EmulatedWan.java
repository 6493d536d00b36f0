/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.protocol.Now;
import org.meteorshower.runtime.Clock;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.journal.SlowJournal;
import org.meteorshower.wan.Traffic;
import org.meteorshower.wan.WanEmulator;
import org.meteorshower.wan.WanFile;

/**
 * Lets Cassandra's messages between nodes take as long as on the emulated wide-area network, and the protocol's
 * physical clock be off and its journal slow as the network's file says. For demonstrations and tests; off unless
 * {@code wan.file} is set.
 */
final class EmulatedWan implements AutoCloseable {
    /** Set while a message that has had its delay is sent for good. */
    private static final ThreadLocal<Boolean> PASSING = ThreadLocal.withInitial(() -> false);

    private final WanEmulator emulator = new WanEmulator(new SecureRandom(), WanEmulator.DEFAULT_MAX_PENDING);
    private final WanFile file;

    EmulatedWan(Path path) {
        this.file = new WanFile(path, emulator::apply);
    }

    WanEmulator emulator() {
        return emulator;
    }

    /** From now on messages of Cassandra's leave when the emulated network lets them. */
    void holdCassandraMessages() {
        MessagingService.instance().outboundSink.add(this::passes);
    }

    private boolean passes(Message<?> message, InetAddressAndPort to) {
        if (PASSING.get()) {
            return true;
        }
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        emulator.submit(
                snitch.getLocalDatacenter(),
                snitch.getDatacenter(to),
                Traffic.STREAM,
                () -> pass(message, to),
                () -> {});
        return false;
    }

    private static void pass(Message<?> message, InetAddressAndPort to) {
        PASSING.set(true);
        try {
            MessagingService.instance().send(message, to);
        } finally {
            PASSING.set(false);
        }
    }

    /** The machine's clocks, the wall clock off by what the file says of this node or its data centre. */
    Clock clock() {
        String address = address();
        String datacenter = DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter();
        return () -> {
            Instant instant = Instant.now();
            long wallMicros = instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
            return new Now(wallMicros + emulator.clockOffsetMicros(address, datacenter), System.nanoTime());
        };
    }

    /** The journal, on a disk as slow as the file says of this node. */
    Journal onDisk(Journal journal) {
        String address = address();
        return new SlowJournal(journal, () -> emulator.diskPauseMicros(address));
    }

    private static String address() {
        return FBUtilities.getJustBroadcastAddress().getHostAddress();
    }

    @Override
    public void close() {
        file.close();
        emulator.close();
    }
}
