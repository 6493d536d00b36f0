/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Loads protocol core, simulator and small worlds a second time, with mistakes in them. Everything else is shared with
 * the tool.
 */
final class PatchedClasses extends ClassLoader {
    private static final List<String> OWN = List.of(
            "org.meteorshower.protocol.",
            "org.meteorshower.atrest.",
            "org.meteorshower.driver.",
            "org.meteorshower.onlinecheck.",
            "org.meteorshower.simulator.",
            "org.meteorshower.smallscope.",
            "org.meteorshower.transactions.");

    static {
        registerAsParallelCapable();
    }

    private final List<Patch> patches;

    PatchedClasses(List<Patch> patches) {
        super(PatchedClasses.class.getClassLoader());
        this.patches = patches;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (OWN.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] classfile = patched(name);
        return defineClass(name, classfile, 0, classfile.length);
    }

    /** The class as this loader defines it. */
    byte[] patched(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] classfile = in.readAllBytes();
            for (Patch patch : patches) {
                if (patch.className().equals(name)) {
                    classfile = patch.applyTo(classfile);
                }
            }
            return classfile;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read class " + name, e);
        }
    }
}
