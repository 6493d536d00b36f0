/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the kernel can ask for, and what is answered. Not thread-safe. */
final class FuseCalls {
    static final int MAX_WRITE = 128 * 1024;

    private static final int MAJOR = 7;
    private static final int MINOR = 31;
    /** Several reads of a file at once, writes of more than a page, several look-ups in a folder at once. */
    private static final int FLAGS = 1 | (1 << 5) | (1 << 18);

    private static final int KEEP_CACHE = 2;
    private static final int PERMISSIONS = 07777;

    private static final int SET_MODE = 1;
    private static final int SET_SIZE = 1 << 3;
    private static final int SET_MODIFIED = 1 << 5;

    private record Listed(String name, Inode inode) {}

    private final Room room = new Room();
    private final Disks disks;
    private final Map<Long, List<Listed>> openFolders = new HashMap<>();
    private long nextHandle = 1;

    FuseCalls(Disks disks) {
        this.disks = disks;
    }

    /** Null where the kernel wants no reply. */
    @Nullable
    Reply answer(Request request) throws Refused {
        return switch (request.operation) {
            case Operations.INIT -> init(request);
            case Operations.FORGET -> forget(request);
            case Operations.BATCH_FORGET -> forgetMany(request);
            case Operations.GETATTR -> Reply.small().attributes(disks.byId(request.node));
            case Operations.SETATTR -> set(request);
            case Operations.LOOKUP -> entry(disks.lookup(disks.byId(request.node), request.name()));
            case Operations.MKNOD -> make(request, 16, Inode.FILE);
            case Operations.MKDIR -> make(request, 8, Inode.FOLDER);
            case Operations.CREATE -> make(request, 16, Inode.FILE).opened(0, KEEP_CACHE);
            case Operations.UNLINK -> removed(request, false);
            case Operations.RMDIR -> removed(request, true);
            case Operations.RENAME -> renamed(request, request.int64(), 0);
            case Operations.RENAME2 -> renamed(request, request.int64(), request.int32());
            case Operations.LINK -> linked(request);
            case Operations.OPEN -> Reply.small().opened(0, KEEP_CACHE);
            case Operations.OPENDIR -> openFolder(request);
            case Operations.READDIR -> list(request);
            case Operations.RELEASEDIR -> closeFolder(request);
            case Operations.READ -> read(request);
            case Operations.WRITE -> write(request);
            case Operations.FSYNC, Operations.FSYNCDIR -> force(request);
            case Operations.STATFS -> room();
            case Operations.RELEASE, Operations.FLUSH, Operations.DESTROY -> Reply.empty();
            default -> throw new Refused(Refused.ENOSYS);
        };
    }

    private static Reply init(Request request) {
        request.skip(8); // its version: it takes an older one, too
        int readAhead = request.int32();
        Reply reply = Reply.small().int32(MAJOR).int32(MINOR).int32(readAhead).int32(FLAGS);
        return reply.int16(64).int16(48).int32(MAX_WRITE).int32(1).zeroes(36);
    }

    private @Nullable Reply forget(Request request) {
        disks.forget(request.node, request.int64());
        return null;
    }

    private @Nullable Reply forgetMany(Request request) {
        int count = request.int32();
        request.skip(4);
        for (int i = 0; i < count; i++) {
            disks.forget(request.int64(), request.int64());
        }
        return null;
    }

    private Reply entry(Inode inode) {
        return Reply.small().entry(disks.told(inode));
    }

    private Reply set(Request request) throws Refused {
        Inode inode = disks.byId(request.node);
        int what = request.int32();
        long size = request.skip(12).int64();
        long modified = request.skip(16).int64();
        int modifiedNanos = request.skip(12).int32();
        int mode = request.skip(4).int32();
        if ((what & SET_SIZE) != 0) {
            disks.truncate(inode, size);
        }
        if ((what & SET_MODE) != 0) {
            inode.mode = (inode.mode & ~PERMISSIONS) | (mode & PERMISSIONS);
        }
        if ((what & SET_MODIFIED) != 0) {
            inode.modifiedNanos = modified * 1_000_000_000 + modifiedNanos;
        }
        return Reply.small().attributes(inode);
    }

    /** @param skipped what comes before the name, the mode where that is not a file's own */
    private Reply make(Request request, int skipped, int kind) throws Refused {
        int first = request.int32();
        int mode = request.operation == Operations.CREATE ? request.int32() : first;
        request.skip(skipped - (request.operation == Operations.CREATE ? 8 : 4));
        Inode folder = disks.byId(request.node);
        return entry(disks.create(folder, request.name(), kind | (mode & PERMISSIONS)));
    }

    private Reply removed(Request request, boolean folder) throws Refused {
        disks.remove(disks.byId(request.node), request.name(), folder);
        return Reply.empty();
    }

    private Reply renamed(Request request, long to, int flags) throws Refused {
        if (request.operation == Operations.RENAME2) {
            request.skip(4);
        }
        if ((flags & ~1) != 0) {
            throw new Refused(Refused.EINVAL);
        }
        String name = request.name();
        String newName = request.name();
        disks.rename(disks.byId(request.node), name, disks.byId(to), newName, flags == 1);
        return Reply.empty();
    }

    private Reply linked(Request request) throws Refused {
        Inode file = disks.byId(request.int64());
        disks.link(file, disks.byId(request.node), request.name());
        return entry(file);
    }

    private Reply openFolder(Request request) throws Refused {
        List<Listed> listed = new ArrayList<>();
        disks.byId(request.node).entries().forEach((name, inode) -> listed.add(new Listed(name, inode)));
        openFolders.put(nextHandle, listed);
        return Reply.small().opened(nextHandle++, 0);
    }

    private Reply list(Request request) {
        List<Listed> all = openFolders.getOrDefault(request.int64(), List.of());
        long next = request.int64();
        Reply reply = Reply.ofAtMost(request.int32());
        boolean room = true;
        for (; room && next < all.size(); next++) {
            Listed each = all.get((int) next);
            room = reply.listed(each.inode().id, next + 1, each.inode().mode, each.name());
        }
        return reply;
    }

    private Reply closeFolder(Request request) {
        openFolders.remove(request.int64());
        return Reply.empty();
    }

    private Reply read(Request request) throws Refused {
        long offset = request.skip(8).int64();
        return Reply.data(disks.byId(request.node).content().read(offset, request.int32()));
    }

    private Reply write(Request request) throws Refused {
        long offset = request.skip(8).int64();
        int count = request.int32();
        byte[] bytes = request.skip(20).bytes(count);
        if (room.isFull()) {
            throw new Refused(Refused.ENOSPC);
        }
        disks.write(disks.byId(request.node), offset, bytes);
        return Reply.small().int32(count).int32(0);
    }

    private Reply force(Request request) throws Refused {
        boolean dataOnly = (request.skip(8).int32() & 1) != 0;
        disks.force(disks.byId(request.node), dataOnly);
        return Reply.empty();
    }

    /** Always the same: nothing here looks how full a disk is. */
    private static Reply room() {
        long pages = 1 << 24;
        return Reply.small()
                .int64(pages)
                .int64(pages)
                .int64(pages)
                .int64(1 << 20)
                .int64(1 << 20)
                .int32(Content.PAGE)
                .int32(255)
                .int32(Content.PAGE)
                .zeroes(28);
    }
}
