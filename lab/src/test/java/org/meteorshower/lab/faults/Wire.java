/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.transport.WireVersions;

/**
 * A connection to a node's transport that speaks as badly as it is told to: the wire protocol's frames and greetings,
 * written a second time for that. For one thread.
 */
final class Wire implements AutoCloseable {
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int PROOF = 3;
    static final int REFUSED = 4;
    static final int MESSAGE = 10;

    /** One that the nodes speak, and one that they do not. */
    static final int VERSION = 1;

    static final int UNKNOWN_VERSION = WireVersions.ALL.newest() + 1;
    static final int PROOF_BYTES = 32;
    private static final long MAGIC = 0x4d65_7465_6f72_5368L;
    private static final int PATIENCE_MILLIS = 30_000;

    /** A frame that came, without length. */
    static final class Frame {
        private final byte[] bytes;

        private Frame(byte[] bytes) {
            this.bytes = bytes;
        }

        int type() {
            return bytes[0];
        }

        byte[] content() {
            return Arrays.copyOfRange(bytes, 1, bytes.length);
        }

        String text() {
            return new String(content(), StandardCharsets.UTF_8);
        }
    }

    private final Socket socket;
    private final DataInputStream in;

    /** @param from which loopback address to come from */
    Wire(String to, String from) throws IOException {
        socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(to, NodeSpec.TRANSPORT_PORT), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    void write(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException e) {
            // It has hung up already, which reading will tell.
        }
    }

    /** No more comes from here. */
    void end() throws IOException {
        try {
            socket.shutdownOutput();
        } catch (SocketException e) {
            // Hung up on already.
        }
    }

    /** Null if it hangs up instead. */
    Frame read() throws IOException {
        try {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            return new Frame(frame);
        } catch (EOFException | SocketException e) {
            return null;
        }
    }

    /** Waits until it hangs up; whatever it says before is skipped. */
    void awaitHangUp() throws IOException {
        Frame frame = read();
        while (frame != null) {
            frame = read();
        }
    }

    static byte[] frame(int type, byte[] content) {
        return bytes(out -> {
            out.writeInt(1 + content.length);
            out.writeByte(type);
            out.write(content);
        });
    }

    /** @param version one byte's worth */
    static byte[] hello(int version, String clusterName, UUID from, UUID to) {
        return bytes(out -> {
            out.writeLong(MAGIC);
            out.writeByte(version); // the newest that it speaks
            out.writeByte(version); // and the oldest
            byte[] name = clusterName.getBytes(StandardCharsets.UTF_8);
            out.writeByte(name.length);
            out.write(name);
            uuid(out, from);
            out.writeByte(2); // incarnation 1
            uuid(out, to);
            uuid(out, UUID.randomUUID());
            uuid(out, UUID.randomUUID());
        });
    }

    private static void uuid(DataOutputStream out, UUID value) throws IOException {
        out.writeLong(value.getMostSignificantBits());
        out.writeLong(value.getLeastSignificantBits());
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
