/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields in which something can pile up: of a type that holds any number of things, in a class of which objects may
 * live long. Records, enums and what the compiler makes are left out: a record that lives is held by one of these
 * fields.
 */
final class HeldFields {
    private static final String ROOT = "org.meteorshower.";

    /** What holds any number of things. */
    private static final List<String> HOLDERS = List.of(
            "java.util.Collection",
            "java.util.Map",
            "java.util.BitSet",
            "java.util.concurrent.Executor",
            "java.nio.Buffer",
            "java.io.OutputStream",
            "java.lang.ThreadLocal",
            "java.lang.StringBuilder",
            "io.netty.buffer.ByteBuf",
            "com.google.common.cache.Cache",
            "com.github.benmanes.caffeine.cache.Cache");

    private HeldFields() {}

    /** Whether a field of this class is looked at at all. */
    private static boolean mayLive(JavaClass type) {
        return !type.isRecord() && !type.isEnum() && !type.isAssignableTo("java.lang.Record");
    }

    private static boolean holds(JavaField field) {
        JavaClass type = field.getRawType();
        boolean made = field.getModifiers().contains(JavaModifier.SYNTHETIC);
        return !made && (type.isArray() || HOLDERS.stream().anyMatch(type::isAssignableTo));
    }

    /** By class, as the inventory calls it: such as {@code transport.PeerLink}. */
    static Map<String, Set<String>> of(Iterable<JavaClass> classes) {
        Map<String, Set<String>> fields = new TreeMap<>();
        for (JavaClass type : classes) {
            if (mayLive(type)) {
                for (JavaField field : type.getFields()) {
                    if (holds(field)) {
                        fields.computeIfAbsent(nameOf(type), name -> new TreeSet<>())
                                .add(field.getName());
                    }
                }
            }
        }
        return fields;
    }

    static String nameOf(JavaClass type) {
        return type.getName().substring(ROOT.length()).replace('$', '.');
    }

    /**
     * What an inventory does not name, and what it names that is not there; each as {@code class.field} or
     * {@code class}.
     */
    static Set<String> difference(Map<String, Set<String>> fields, Set<String> named) {
        Set<String> wrong = new TreeSet<>();
        Set<String> met = new TreeSet<>();
        fields.forEach((type, names) -> names.forEach(name -> {
            String entry = met(named, type, name);
            if (entry == null) {
                wrong.add(type + "." + name + " is not in the inventory");
            } else {
                met.add(entry);
            }
        }));
        for (String entry : named) {
            if (!met.contains(entry)) {
                wrong.add(entry + " is in the inventory, and not in the code");
            }
        }
        return wrong;
    }

    private static @Nullable String met(Set<String> named, String type, String field) {
        return named.contains(type + "." + field) ? type + "." + field : named.contains(type) ? type : null;
    }
}
