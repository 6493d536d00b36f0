/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.Settings;

/**
 * Fingerprints of object structures, by reflection over all their fields: two protocol cores with the same one behave
 * the same from there on. It has to see everything, so what it does not understand it refuses.
 *
 * <p>Left out: what never changes in a run (settings, placement), what each step overwrites before it is read (the
 * core's {@code Turn.now} and {@code Turn.effects}), what is told to people alone, and the order in which hash maps
 * happen to keep their entries. Not thread-safe.
 */
final class Digest {
    private static final List<String> OVERWRITTEN =
            List.of("Turn.now", "Turn.effects", "ReadSubscriptionMap$Subscription.awaited", "Effect$ReadInfo.awaited");

    /** Immutable: which of two equal ones it is makes no difference. */
    private static final List<String> VALUES = List.of("CellUpdate", "PartitionKey", "RowsHistory");

    private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
    private long high = 0x243f6a8885a308d3L;
    private long low = 0x13198a2e03707344L;

    private Digest() {}

    static Fingerprint of(@Nullable Object... things) {
        Digest digest = new Digest();
        for (Object thing : things) {
            digest.add(thing);
        }
        return new Fingerprint(digest.high, digest.low);
    }

    private void add(long bits) {
        high = (high ^ bits) * 0x9e3779b97f4a7c15L;
        high ^= high >>> 29;
        low = (low + bits) * 0xc2b2ae3d27d4eb4fL;
        low ^= low >>> 32;
    }

    private void add(@Nullable Object thing) {
        if (thing == null) {
            add(0x6e756c6cL);
        } else if (thing instanceof Long || thing instanceof Integer || thing instanceof Byte) {
            add(((Number) thing).longValue());
        } else if (thing instanceof Boolean bool) {
            add(bool ? 1 : 2);
        } else if (thing instanceof Enum<?> constant) {
            add(constant.name().hashCode());
        } else if (thing instanceof String text) {
            add(text.length());
            text.chars().forEach(this::add);
        } else if (thing instanceof UUID id) {
            add(id.getMostSignificantBits());
            add(id.getLeastSignificantBits());
        } else if (thing instanceof BitSet bits) {
            add((Object) bits.toLongArray());
        } else if (thing.getClass().isArray()) {
            array(thing);
        } else if (thing instanceof Map<?, ?> map) {
            map(map);
        } else if (thing instanceof Collection<?> collection) {
            collection(collection);
        } else {
            structure(thing);
        }
    }

    private void array(Object array) {
        int length = Array.getLength(array);
        add(length);
        if (array instanceof long[] longs) {
            for (int i = 0; i < length; i++) { // mostly zeros where it is long
                if (longs[i] != 0) {
                    add(i);
                    add(longs[i]);
                }
            }
        } else {
            for (int i = 0; i < length; i++) {
                add(Array.get(array, i));
            }
        }
    }

    private void map(Map<?, ?> map) {
        add(map.size());
        if (map instanceof LinkedHashMap || map instanceof SortedMap || map.size() < 2) {
            map.forEach((key, value) -> {
                add(key);
                add(value);
            });
            return;
        }
        for (Object key : sorted(map.keySet())) {
            add(key);
            add(map.get(key));
        }
    }

    private void collection(Collection<?> collection) {
        add(collection.size());
        boolean ordered = !(collection instanceof Set)
                || collection instanceof LinkedHashSet
                || collection instanceof SortedSet
                || collection.size() < 2;
        (ordered ? collection : sorted(collection)).forEach(this::add);
    }

    private record Printed(Object thing, Fingerprint print) {}

    private static List<Object> sorted(Collection<?> things) {
        return things.stream()
                .map(thing -> new Printed(thing, of(thing)))
                .sorted(Comparator.comparingLong((Printed printed) -> printed.print.high())
                        .thenComparingLong(printed -> printed.print.low()))
                .map(Printed::thing)
                .toList();
    }

    private void structure(Object thing) {
        Class<?> type = thing.getClass();
        if (thing instanceof Settings || thing instanceof Placement || type.isHidden() || type.isSynthetic()) {
            return;
        }
        if (!type.getName().startsWith("org.meteorshower.")) {
            throw new IllegalStateException(
                    "states with a " + type.getName() + " in them cannot be compared: teach Digest what it means");
        }
        if (!type.isRecord() && !VALUES.contains(type.getSimpleName())) {
            Integer before = seen.putIfAbsent(thing, seen.size());
            if (before != null) {
                add(~before.longValue());
                return;
            }
        }
        try {
            for (Field field : fieldsOf(type)) {
                Class<?> of = field.getType();
                if (of == long.class) {
                    add(field.getLong(thing));
                } else if (of == int.class) {
                    add(field.getInt(thing));
                } else {
                    add(field.get(thing));
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot look into " + type, e);
        }
    }

    private static synchronized List<Field> fieldsOf(Class<?> type) {
        return FIELDS.computeIfAbsent(type, t -> {
            List<Field> fields = new ArrayList<>();
            for (Class<?> c = t; c != null && c != Object.class; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())
                            && !field.isSynthetic()
                            && !OVERWRITTEN.contains(nameOf(c) + "." + field.getName())) {
                        field.setAccessible(true);
                        fields.add(field);
                    }
                }
            }
            return fields;
        });
    }

    /** Without its package. */
    private static String nameOf(Class<?> type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }

    /** Of all fields that the digest leaves out on purpose, for a test that they still exist. */
    static Set<String> overwritten() {
        return new HashSet<>(OVERWRITTEN);
    }
}
