/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What a jar's classes name and what is not there beside it: the JVM would tell only when it came to such a place,
 * which may be a rare one. Reads classes, and runs none. Used by one thread.
 */
final class Links implements AutoCloseable {
    /** Beside the plugin in its jar, and never run in a node. */
    private static final String SIMULATORS = "org/meteorshower/(simulator|smallscope|transactions/simulator)/.*";

    /** Their methods take whatever they are given. */
    private static final Set<String> POLYMORPHIC =
            Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    private final Path jar;
    private final URLClassLoader all;
    private final Map<String, Shape> shapes = new HashMap<>();
    private final Set<String> missing = new TreeSet<>();
    private int named;

    /** A class's own members, as name and descriptor, and what it extends. */
    private record Shape(Set<String> members, List<String> parents) {}

    Links(Path jar, List<Path> beside) throws IOException {
        this.jar = jar;
        List<URL> urls = new ArrayList<>(List.of(jar.toUri().toURL()));
        for (Path each : beside) {
            urls.add(each.toUri().toURL());
        }
        this.all = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    /** What is missing, and by whom it is named. */
    Set<String> missing() throws IOException {
        try (JarFile opened = new JarFile(jar.toFile())) {
            for (JarEntry entry : Collections.list(opened.entries())) {
                if (entry.getName().endsWith(".class") && !entry.getName().matches(SIMULATORS)) {
                    try (InputStream in = opened.getInputStream(entry)) {
                        new ClassReader(in).accept(new Names(), 0);
                    }
                }
            }
        }
        return missing;
    }

    /** How many places were looked at. */
    int named() {
        return named;
    }

    @Override
    public void close() throws IOException {
        all.close();
    }

    private void need(boolean there, String what, String by) {
        named++;
        if (!there) {
            missing.add(what + ", named by " + by);
        }
    }

    private boolean has(String owner, String member) {
        if (owner.startsWith("[") || POLYMORPHIC.contains(owner)) {
            return true;
        }
        Shape shape = shapeOf(owner);
        return shape.members.contains(member) || shape.parents.stream().anyMatch(parent -> has(parent, member));
    }

    private boolean exists(String type) {
        return type.startsWith("[") || !shapeOf(type).parents.isEmpty() || type.equals("java/lang/Object");
    }

    private Shape shapeOf(String type) {
        return shapes.computeIfAbsent(type, this::read);
    }

    /** Empty if there is no such class. */
    private Shape read(String type) {
        Set<String> members = new HashSet<>();
        List<String> parents = new ArrayList<>();
        try (InputStream in = all.getResourceAsStream(type + ".class")) {
            if (in != null) {
                ClassReader reader = new ClassReader(in);
                if (reader.getSuperName() != null) {
                    parents.add(reader.getSuperName());
                }
                parents.addAll(List.of(reader.getInterfaces()));
                reader.accept(new Members(members), ClassReader.SKIP_CODE);
            }
        } catch (IOException e) {
            missing.add(type + " cannot be read: " + e);
        }
        return new Shape(members, parents);
    }

    private static final class Members extends ClassVisitor {
        private final Set<String> members;

        Members(Set<String> members) {
            super(Opcodes.ASM9);
            this.members = members;
        }

        @Override
        public FieldVisitor visitField(int access, String name, String type, String generic, Object value) {
            members.add(name + type);
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
            members.add(name + type);
            return null;
        }
    }

    private final class Names extends ClassVisitor {
        private String self = "";

        Names() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(int version, int access, String name, String generic, String parent, String[] interfaces) {
            self = name;
            need(exists(parent), parent, name);
            for (String each : interfaces) {
                need(exists(each), each, name);
            }
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(
                        int code, String owner, String member, String memberType, boolean inInterface) {
                    need(has(owner, member + memberType), owner + "." + member + memberType, self);
                }

                @Override
                public void visitFieldInsn(int code, String owner, String member, String memberType) {
                    need(has(owner, member + memberType), owner + "." + member, self);
                }

                @Override
                public void visitTypeInsn(int code, String used) {
                    need(exists(used), used, self);
                }
            };
        }
    }
}
