/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * A connection in version 4 of the native protocol, by hand, for what no driver does: to ask without reading answers,
 * and for more at once than a driver allows. One thread may ask while another reads.
 */
final class RawClient implements AutoCloseable {
    private static final int VERSION = 4;
    private static final int HEADER = 9;
    private static final int ERROR = 0x00;
    private static final int STARTUP = 0x01;
    private static final int READY = 0x02;
    private static final int QUERY = 0x07;
    private static final int QUORUM = 0x0004;
    private static final int PATIENCE_MILLIS = 20_000;

    /** What is not read fills the node's memory, not the kernel's. */
    private static final int RECEIVE_BUFFER = 8_192;

    private final Socket socket = new Socket();
    private final DataOutputStream out;
    private final DataInputStream in;

    /**
     * An answer.
     *
     * @param error its code; 0 where it is none
     */
    record Frame(int stream, int error, int bytes) {}

    RawClient(NodeSpec node) throws IOException {
        socket.setReceiveBufferSize(RECEIVE_BUFFER);
        socket.connect(
                new InetSocketAddress(InetAddress.getByName(node.address()), NodeSpec.CQL_PORT), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
        byte[] key = "CQL_VERSION".getBytes(StandardCharsets.UTF_8);
        byte[] value = "3.0.0".getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(6 + key.length + value.length);
        body.putShort((short) 1).putShort((short) key.length).put(key);
        body.putShort((short) value.length).put(value);
        send(0, STARTUP, body.array());
        if (in.readUnsignedByte() < 0x80 || skipToOpcode() != READY) {
            throw new IOException(node.name() + " does not take the connection");
        }
        skip(in.readInt());
    }

    private int skipToOpcode() throws IOException {
        skip(3); // flags and stream
        return in.readUnsignedByte();
    }

    /** Asks at QUORUM. */
    void ask(int stream, String cql) throws IOException {
        byte[] text = cql.getBytes(StandardCharsets.UTF_8);
        send(
                stream,
                QUERY,
                ByteBuffer.allocate(7 + text.length)
                        .putInt(text.length)
                        .put(text)
                        .putShort((short) QUORUM)
                        .put((byte) 0)
                        .array());
    }

    private void send(int stream, int opcode, byte[] body) throws IOException {
        out.write(ByteBuffer.allocate(HEADER + body.length)
                .put((byte) VERSION)
                .put((byte) 0)
                .putShort((short) stream)
                .put((byte) opcode)
                .putInt(body.length)
                .put(body)
                .array());
        out.flush();
    }

    /** The next answer. Throws {@link java.net.SocketTimeoutException} where none comes for twenty seconds. */
    Frame read() throws IOException {
        skip(2);
        int stream = in.readUnsignedShort();
        int opcode = in.readUnsignedByte();
        int length = in.readInt();
        int error = opcode == ERROR ? in.readInt() : 0;
        skip(opcode == ERROR ? length - 4 : length);
        return new Frame(stream, error, length);
    }

    private void skip(int bytes) throws IOException {
        InputStream from = in;
        from.skipNBytes(bytes);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more in any case.
        }
    }
}
