/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;

/** Encodes result rows; the type of a column follows from the Java type of its value. */
final class Rows {

    private Rows() {}

    static Message of(List<String> values, String nextPage) {
        Queue<List<ByteBuffer>> data = new ArrayDeque<>();
        values.forEach(value -> data.add(List.of(encode(value))));
        ByteBuffer state = nextPage == null ? null : ByteBuffer.wrap(nextPage.getBytes(StandardCharsets.UTF_8));
        return new DefaultRows(new RowsMetadata(List.of(column("v", 0, "")), state, new int[] {}, null), data);
    }

    /** All rows must have the same columns in the same order. */
    static Message ofMaps(List<Map<String, Object>> rows) {
        List<ColumnSpec> columns = new ArrayList<>();
        Queue<List<ByteBuffer>> data = new ArrayDeque<>();
        for (Map<String, Object> row : rows) {
            columns.clear();
            List<ByteBuffer> cells = new ArrayList<>();
            row.forEach((name, value) -> {
                columns.add(column(name, columns.size(), value));
                cells.add(encode(value));
            });
            data.add(cells);
        }
        return new DefaultRows(new RowsMetadata(columns, null, new int[] {}, null), data);
    }

    static ColumnSpec column(String name, int index, Object example) {
        return new ColumnSpec("ks", "t", name, index, type(example));
    }

    private static RawType type(Object value) {
        if (value instanceof Set) {
            return new RawType.RawSet(RawType.PRIMITIVES.get(DataType.VARCHAR));
        }
        if (value instanceof Map) {
            RawType text = RawType.PRIMITIVES.get(DataType.VARCHAR);
            return new RawType.RawMap(text, text);
        }
        int id = value instanceof UUID
                ? DataType.UUID
                : value instanceof InetAddress
                        ? DataType.INET
                        : value instanceof Integer
                                ? DataType.INT
                                : value instanceof Long ? DataType.BIGINT : DataType.VARCHAR;
        return RawType.PRIMITIVES.get(id);
    }

    @SuppressWarnings("unchecked") // sets and maps here are of text
    private static ByteBuffer encode(Object value) {
        DefaultProtocolVersion v4 = DefaultProtocolVersion.V4;
        if (value instanceof Set) {
            return TypeCodecs.setOf(TypeCodecs.TEXT).encode((Set<String>) value, v4);
        }
        if (value instanceof Map) {
            return TypeCodecs.mapOf(TypeCodecs.TEXT, TypeCodecs.TEXT).encode((Map<String, String>) value, v4);
        }
        if (value instanceof Long number) {
            return TypeCodecs.BIGINT.encode(number, v4);
        }
        if (value instanceof UUID uuid) {
            return TypeCodecs.UUID.encode(uuid, v4);
        }
        if (value instanceof InetAddress address) {
            return TypeCodecs.INET.encode(address, v4);
        }
        return value instanceof Integer number
                ? TypeCodecs.INT.encode(number, v4)
                : TypeCodecs.TEXT.encode((String) value, v4);
    }
}
