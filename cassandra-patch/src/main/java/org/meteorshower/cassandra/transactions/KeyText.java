/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * A row's key as text and back: the partition key in hexadecimal digits, then what names the row within it. Stateless.
 */
final class KeyText {
    private static final HexFormat HEX = HexFormat.of();
    private static final String STATIC = "s";

    /** Written to disk: it must not change with Cassandra's version. */
    private static final int FORM = MessagingService.VERSION_40;

    private KeyText() {}

    static String of(TableMetadata table, ByteBuffer partitionKey, Clustering<?> clustering) {
        return partition(partitionKey) + "."
                + (clustering == Clustering.STATIC_CLUSTERING ? STATIC : text(table, clustering));
    }

    /** What the keys of a partition's rows have in common. */
    static String partition(ByteBuffer partitionKey) {
        return hex(partitionKey);
    }

    static ByteBuffer partitionKey(String text) {
        return bytes(text.substring(0, dot(text)));
    }

    static Clustering<?> clustering(TableMetadata table, String text) {
        String rest = text.substring(dot(text) + 1);
        if (rest.equals(STATIC)) {
            return Clustering.STATIC_CLUSTERING;
        } else if (table.comparator.size() == 0) {
            return Clustering.EMPTY;
        }
        // Buffers, not arrays: Cassandra's statements work on these.
        Clustering<byte[]> read = Clustering.serializer.deserialize(bytes(rest), FORM, table.comparator.subtypes());
        ByteBuffer[] values = new ByteBuffer[read.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = ByteBuffer.wrap(read.get(i));
        }
        return Clustering.make(values);
    }

    private static String text(TableMetadata table, Clustering<?> clustering) {
        if (clustering.size() == 0) {
            return "";
        }
        List<AbstractType<?>> types = table.comparator.subtypes();
        ByteBuffer[] values = new ByteBuffer[clustering.size()];
        for (int i = 0; i < values.length; i++) {
            ByteBuffer value = clustering.bufferAt(i);
            if (value == null) {
                throw new IllegalArgumentException(
                        "a key without a value for " + table.clusteringColumns().get(i).name);
            }
            values[i] = canonical(types.get(i), value);
        }
        return hex(Clustering.serializer.serialize(Clustering.make(values), FORM, types));
    }

    /** Two ways to write one number are one row to Cassandra; so they must be one key. */
    static ByteBuffer canonical(AbstractType<?> type, ByteBuffer value) {
        if (!value.hasRemaining()) {
            return value;
        } else if (type.unwrap() == DecimalType.instance) {
            BigDecimal number = DecimalType.instance.compose(value);
            return DecimalType.instance.decompose(number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros());
        } else if (type.unwrap() == IntegerType.instance) {
            return ByteBuffer.wrap(new BigInteger(ByteBufferUtil.getArray(value)).toByteArray());
        }
        return value;
    }

    private static int dot(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("no key of a row: " + text);
        }
        return dot;
    }

    private static String hex(ByteBuffer bytes) {
        return HEX.formatHex(ByteBufferUtil.getArray(bytes));
    }

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HEX.parseHex(hex));
    }
}
