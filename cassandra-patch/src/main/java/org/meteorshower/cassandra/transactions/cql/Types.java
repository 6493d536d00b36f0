/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.EnumMap;
import java.util.Map;
import org.apache.cassandra.cql3.FieldIdentifier;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.UserType;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Kind;

/** Which types go together. Stateless. */
final class Types {
    private static final Map<Kind, AbstractType<?>> NUMBERS = new EnumMap<>(Map.of(
            Kind.TINYINT, ByteType.instance,
            Kind.SMALLINT, ShortType.instance,
            Kind.INT, Int32Type.instance,
            Kind.BIGINT, LongType.instance,
            Kind.FLOAT, FloatType.instance,
            Kind.DOUBLE, DoubleType.instance,
            Kind.VARINT, IntegerType.instance,
            Kind.DECIMAL, DecimalType.instance));

    private Types() {}

    /** What arithmetic on the two gives; the one of them that is known if the other is not. */
    static @Nullable AbstractType<?> common(@Nullable AbstractType<?> left, @Nullable AbstractType<?> right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        Kind one = ValueForm.kindOf(left);
        Kind other = ValueForm.kindOf(right);
        return one.isNumber() && other.isNumber() ? NUMBERS.get(Kind.common(one, other)) : left;
    }

    /** Whether values of the one can stand where the other is expected, numbers perhaps after being widened. */
    static boolean takes(AbstractType<?> target, AbstractType<?> source) {
        AbstractType<?> to = target.unwrap();
        AbstractType<?> from = source.unwrap();
        if (to.equals(from)) {
            return true;
        }
        Kind kind = ValueForm.kindOf(to);
        if (to.isMultiCell() || from.isMultiCell()) {
            return false;
        }
        return kind.isNumber()
                ? kind.holds(ValueForm.kindOf(from))
                : kind == ValueForm.kindOf(from) && to.isValueCompatibleWith(from);
    }

    static boolean isCollection(AbstractType<?> type) {
        return type.isCollection() && type.isMultiCell();
    }

    static AbstractType<?> keyOf(AbstractType<?> collection, String what) {
        if (isCollection(collection)) {
            if (collection instanceof ListType<?>) {
                return Int32Type.instance;
            } else if (collection instanceof MapType<?, ?> map) {
                return map.getKeysType();
            } else if (collection instanceof SetType<?> set) {
                return set.getElementsType();
            }
        }
        throw Errors.invalid(what + " has no elements to be had one by one: it is " + collection.asCQL3Type()
                + ". Use the whole value");
    }

    static AbstractType<?> elementOf(AbstractType<?> collection, String what) {
        return collection instanceof ListType<?> list && list.isMultiCell()
                ? list.getElementsType()
                : collection instanceof MapType<?, ?> map && map.isMultiCell()
                        ? map.getValuesType()
                        : keyOf(collection, what);
    }

    /** The number of a field of a type that is kept in several cells. */
    static int fieldOf(AbstractType<?> type, String field, String what) {
        if (!(type instanceof UserType user) || !user.isMultiCell()) {
            throw Errors.invalid(
                    what + " has no fields to be had one by one: it is " + type.asCQL3Type() + ". Use the whole value");
        }
        int place = user.fieldPosition(FieldIdentifier.forQuoted(field));
        if (place < 0) {
            throw Errors.invalid(what + " has no field " + field);
        }
        return place;
    }
}
