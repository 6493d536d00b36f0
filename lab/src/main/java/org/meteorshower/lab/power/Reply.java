/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** What the kernel is answered: a header, and the parts of a body. */
final class Reply {
    private static final int HEADER = 16;
    private static final int SMALL = 512;
    private static final long SECOND = 1_000_000_000L;
    /** Only the kernel changes files, so that it may keep what it knows of them. Names it must ask for each time. */
    private static final long KEPT_SECONDS = 60;

    private final ByteBuffer bytes;

    private Reply(int room) {
        bytes = ByteBuffer.allocate(HEADER + room).order(ByteOrder.nativeOrder());
        bytes.position(HEADER);
    }

    static Reply empty() {
        return new Reply(0);
    }

    static Reply small() {
        return new Reply(SMALL);
    }

    static Reply data(byte[] data) {
        Reply reply = new Reply(data.length);
        reply.bytes.put(data);
        return reply;
    }

    /** Room for the entries of a folder. */
    static Reply ofAtMost(int room) {
        return new Reply(room);
    }

    Reply int32(int value) {
        bytes.putInt(value);
        return this;
    }

    Reply int16(int value) {
        bytes.putShort((short) value);
        return this;
    }

    Reply int64(long value) {
        bytes.putLong(value);
        return this;
    }

    Reply zeroes(int count) {
        bytes.position(bytes.position() + count);
        return this;
    }

    /** A file or folder that was looked up, or made. */
    Reply entry(Inode inode) {
        int64(inode.id).int64(0).int64(0).int64(KEPT_SECONDS).int32(0).int32(0);
        return status(inode);
    }

    Reply attributes(Inode inode) {
        int64(KEPT_SECONDS).int32(0).int32(0);
        return status(inode);
    }

    private Reply status(Inode inode) {
        long size = inode.size();
        int64(inode.id).int64(size).int64((size + 511) / 512);
        int64(inode.accessedNanos / SECOND).int64(inode.modifiedNanos / SECOND).int64(inode.changedNanos / SECOND);
        int32((int) (inode.accessedNanos % SECOND));
        int32((int) (inode.modifiedNanos % SECOND));
        int32((int) (inode.changedNanos % SECOND));
        return int32(inode.mode)
                .int32(inode.links)
                .int32(0)
                .int32(0)
                .int32(0)
                .int32(Content.PAGE)
                .int32(0);
    }

    /** Of an opened file or folder. */
    Reply opened(long handle, int flags) {
        return int64(handle).int32(flags).int32(0);
    }

    /**
     * One entry of a folder.
     *
     * @return whether there was room
     */
    boolean listed(long id, long next, int mode, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        int length = (24 + text.length + 7) & ~7;
        if (length > bytes.remaining()) {
            return false;
        }
        int end = bytes.position() + length;
        int64(id).int64(next).int32(text.length).int32(mode >> 12);
        bytes.put(text).position(end);
        return true;
    }

    ByteBuffer done(long unique) {
        bytes.flip();
        return bytes.putInt(0, bytes.limit()).putInt(4, 0).putLong(8, unique);
    }

    static ByteBuffer refused(long unique, int error) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER).order(ByteOrder.nativeOrder());
        return bytes.putInt(0, HEADER).putInt(4, -error).putLong(8, unique);
    }
}
