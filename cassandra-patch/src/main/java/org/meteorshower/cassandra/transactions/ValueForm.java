/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Value;

/**
 * Between Cassandra's values and the transactions' own. What Cassandra keeps in several cells (a collection or a type
 * that is not frozen) has its parts apart here, all else is its bytes. Stateless.
 */
public final class ValueForm {
    private static final Map<AbstractType<?>, Kind> KINDS = Map.ofEntries(
            Map.entry(ByteType.instance, Kind.TINYINT),
            Map.entry(ShortType.instance, Kind.SMALLINT),
            Map.entry(Int32Type.instance, Kind.INT),
            Map.entry(LongType.instance, Kind.BIGINT),
            Map.entry(FloatType.instance, Kind.FLOAT),
            Map.entry(DoubleType.instance, Kind.DOUBLE),
            Map.entry(IntegerType.instance, Kind.VARINT),
            Map.entry(DecimalType.instance, Kind.DECIMAL),
            Map.entry(UTF8Type.instance, Kind.TEXT),
            Map.entry(AsciiType.instance, Kind.TEXT),
            Map.entry(BooleanType.instance, Kind.BOOLEAN),
            Map.entry(BytesType.instance, Kind.BYTES),
            Map.entry(SimpleDateType.instance, Kind.BYTES),
            Map.entry(TimeType.instance, Kind.BYTES),
            Map.entry(InetAddressType.instance, Kind.BYTES),
            Map.entry(TimestampType.instance, Kind.TIMESTAMP),
            Map.entry(TimeUUIDType.instance, Kind.TIMEUUID));

    private ValueForm() {}

    public static Kind kindOf(AbstractType<?> type) {
        return KINDS.getOrDefault(type.unwrap(), Kind.OTHER);
    }

    /** One value that is not taken apart. */
    public static Value.Typed typed(AbstractType<?> type, ByteBuffer bytes) {
        return new Value.Typed(kindOf(type), Bytes.copyOf(ByteBufferUtil.getArray(bytes)));
    }

    /**
     * A value in the native protocol's form.
     *
     * @param bytes valid ones of this type
     */
    public static Value fromBytes(AbstractType<?> type, @Nullable ByteBuffer bytes) {
        if (bytes == null) {
            return Value.NOTHING;
        } else if (!type.isMultiCell()) {
            return typed(type, bytes);
        } else if (type instanceof ListType<?> list) {
            List<Value> items = new ArrayList<>();
            for (ByteBuffer item : parts(bytes, 1)) {
                items.add(typed(list.getElementsType(), item));
            }
            return items.isEmpty() ? Value.NOTHING : new Value.Items(items);
        } else if (type instanceof SetType<?> set) {
            TreeSet<Value.Typed> members = new TreeSet<>();
            for (ByteBuffer member : parts(bytes, 1)) {
                members.add(typed(set.getElementsType(), member));
            }
            return members.isEmpty() ? Value.NOTHING : new Value.Members(members);
        } else if (type instanceof MapType<?, ?> map) {
            TreeMap<Value.Typed, Value.Typed> entries = new TreeMap<>();
            List<ByteBuffer> parts = parts(bytes, 2);
            for (int i = 0; i < parts.size(); i += 2) {
                entries.put(typed(map.getKeysType(), parts.get(i)), typed(map.getValuesType(), parts.get(i + 1)));
            }
            return entries.isEmpty() ? Value.NOTHING : new Value.Entries(entries);
        } else if (type instanceof UserType user) {
            return fields(user, user.split(ByteBufferAccessor.instance, bytes));
        }
        throw unknown(type);
    }

    /** The native protocol's form of a value; null for nothing. */
    public static @Nullable ByteBuffer toBytes(AbstractType<?> type, Value value) {
        if (value.equals(Value.NOTHING)) {
            return null;
        } else if (value instanceof Value.Typed typed) {
            return buffer(typed);
        } else if (value instanceof Value.Items items && type instanceof ListType<?>) {
            List<ByteBuffer> parts = new ArrayList<>();
            items.values().forEach(item -> parts.add(buffer((Value.Typed) item)));
            return whole(parts, parts.size());
        } else if (value instanceof Value.Members members && type instanceof SetType<?> set) {
            List<ByteBuffer> parts = new ArrayList<>();
            members.values().forEach(member -> parts.add(buffer(member)));
            parts.sort(set.getElementsType());
            return whole(parts, parts.size());
        } else if (value instanceof Value.Entries entries && type instanceof MapType<?, ?> map) {
            TreeMap<ByteBuffer, ByteBuffer> sorted = new TreeMap<>(map.getKeysType());
            entries.values().forEach((key, each) -> sorted.put(buffer(key), buffer(each)));
            List<ByteBuffer> parts = new ArrayList<>();
            sorted.forEach((key, each) -> {
                parts.add(key);
                parts.add(each);
            });
            return whole(parts, sorted.size());
        } else if (value instanceof Value.Entries entries && type instanceof UserType user) {
            @Nullable ByteBuffer[] fields = new ByteBuffer[user.size()];
            entries.values().forEach((place, each) -> fields[placeOf(place)] = buffer(each));
            return TupleType.buildValue(fields);
        }
        throw unknown(type);
    }

    /** By what a user-defined type's field is known among {@link Value.Entries}. */
    public static Value.Typed field(int place) {
        return new Value.Typed(
                Kind.SMALLINT, Bytes.copyOf(ByteBufferUtil.getArray(ByteBufferUtil.bytes((short) place))));
    }

    static int placeOf(Value.Typed field) {
        return ByteBufferUtil.toShort(buffer(field));
    }

    static ByteBuffer buffer(Value.Typed value) {
        return ByteBuffer.wrap(value.bytes().toArray());
    }

    static IllegalArgumentException unknown(AbstractType<?> type) {
        return new IllegalArgumentException("values of type " + type.asCQL3Type() + " have no place in transactions");
    }

    private static Value fields(UserType user, @Nullable ByteBuffer[] fields) {
        TreeMap<Value.Typed, Value.Typed> entries = new TreeMap<>();
        for (int i = 0; i < fields.length; i++) {
            ByteBuffer each = fields[i];
            if (each != null) {
                entries.put(field(i), typed(user.fieldType(i), each));
            }
        }
        return entries.isEmpty() ? Value.NOTHING : new Value.Entries(entries);
    }

    /** A count, then each part with its length: so the protocol sends collections. */
    private static List<ByteBuffer> parts(ByteBuffer bytes, int perMember) {
        ByteBuffer in = bytes.duplicate();
        int count = perMember * in.getInt();
        List<ByteBuffer> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = in.getInt();
            if (length < 0) {
                throw new IllegalArgumentException("null is not supported inside collections");
            }
            ByteBuffer part = in.slice(in.position(), length);
            in.position(in.position() + length);
            parts.add(part);
        }
        return parts;
    }

    private static ByteBuffer whole(List<ByteBuffer> parts, int members) {
        int size = Integer.BYTES;
        for (ByteBuffer part : parts) {
            size += Integer.BYTES + part.remaining();
        }
        ByteBuffer out = ByteBuffer.allocate(size).putInt(members);
        for (ByteBuffer part : parts) {
            out.putInt(part.remaining()).put(part.duplicate());
        }
        return out.flip();
    }
}
