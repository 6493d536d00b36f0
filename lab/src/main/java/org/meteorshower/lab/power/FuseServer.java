/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Answers the kernel, on several threads. The kernel's end is this process's standard input: a Java process cannot
 * mount anything itself, but a command that inherits that can. Thread-safe.
 */
final class FuseServer {
    private static final int ROOM = FuseCalls.MAX_WRITE + 8192;
    private static final long PAUSE_MILLIS = 20;

    /** A process waits for this while the power is gone. */
    private record Held(long unique, Disk disk) {}

    private final Disks disks;
    private final FuseCalls calls;
    private final FileChannel out = new FileOutputStream(FileDescriptor.in).getChannel();
    private final List<Held> held = new ArrayList<>();

    FuseServer(Disks disks) {
        this.disks = disks;
        calls = new FuseCalls(disks);
    }

    /** Goes on until the file system is no longer mounted, or the thread is interrupted. */
    void serve() throws InterruptedException {
        FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
        ByteBuffer bytes = ByteBuffer.allocateDirect(ROOM);
        while (true) {
            bytes.clear();
            try {
                if (in.read(bytes) <= 0) {
                    return;
                }
            } catch (IOException e) {
                if (String.valueOf(e.getMessage()).contains("No such device")) {
                    return;
                }
                Thread.sleep(PAUSE_MILLIS); // not mounted yet, or the asking process was killed meanwhile
                continue;
            }
            bytes.flip();
            ByteBuffer reply = answer(new Request(bytes));
            if (reply != null) {
                send(reply);
            }
        }
    }

    private void send(ByteBuffer reply) {
        try {
            out.write(reply);
        } catch (IOException e) {
            // Who asked is dead.
        }
    }

    private @Nullable ByteBuffer answer(Request request) {
        synchronized (disks) {
            try {
                if (isHeld(request)) {
                    return null;
                }
                Reply reply = calls.answer(request);
                return reply == null ? null : reply.done(request.unique);
            } catch (Refused e) {
                return Reply.refused(request.unique, e.error);
            } catch (RuntimeException e) {
                e.printStackTrace();
                return Reply.refused(request.unique, Refused.EIO);
            }
        }
    }

    private boolean isHeld(Request request) throws Refused {
        if (request.operation != Operations.FSYNC && request.operation != Operations.FSYNCDIR) {
            return false;
        }
        Disk disk = disks.byId(request.node).disk;
        if (disk.power == Disk.Power.OFF_AND_KILLED) {
            throw new Refused(Refused.EIO);
        } else if (disk.power == Disk.Power.OFF) {
            held.add(new Held(request.unique, disk));
        }
        return disk.power == Disk.Power.OFF;
    }

    /** From now on nothing is forced on these disks: whoever asks for it waits until {@link #killed}. */
    void off(List<String> names) throws Refused {
        synchronized (disks) {
            for (String name : names) {
                disks.disk(name).power = Disk.Power.OFF;
            }
        }
    }

    /** Who waits for these disks was killed. */
    void killed(List<String> names) throws Refused {
        List<ByteBuffer> replies = new ArrayList<>();
        synchronized (disks) {
            for (String name : names) {
                disks.disk(name).power = Disk.Power.OFF_AND_KILLED;
            }
            for (Iterator<Held> all = held.iterator(); all.hasNext(); ) {
                Held each = all.next();
                if (each.disk().power == Disk.Power.OFF_AND_KILLED) {
                    replies.add(Reply.refused(each.unique(), Refused.EIO));
                    all.remove();
                }
            }
        }
        replies.forEach(this::send);
    }

    /** The power is back; see {@link Disks#lose}. */
    Disks.Loss on(String name, double share, Random random) throws Refused {
        synchronized (disks) {
            return disks.lose(name, share, random);
        }
    }
}
