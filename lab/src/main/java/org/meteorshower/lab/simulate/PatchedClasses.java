/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Probes;

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
    private final @Nullable Probing probing;

    PatchedClasses(List<Patch> patches) {
        super(PatchedClasses.class.getClassLoader());
        this.patches = patches;
        this.probing = null;
    }

    /**
     * The cores tell {@link Probes} which of their code runs. One thread at a time.
     *
     * @param common blocks that they do not tell of, by name
     */
    PatchedClasses(List<Patch> patches, Set<Long> common) {
        super(PatchedClasses.class.getClassLoader());
        this.patches = patches;
        this.probing = new Probing(namer(), common);
    }

    private Probing.Namer namer() {
        try {
            Method name = loadClass(Probes.class.getName()).getMethod("name", int.class, long.class);
            return (block, number) -> {
                try {
                    name.invoke(null, block, number);
                } catch (ReflectiveOperationException e) {
                    throw notWhatItWas(e);
                }
            };
        } catch (ReflectiveOperationException e) {
            throw notWhatItWas(e);
        }
    }

    static IllegalStateException notWhatItWas(ReflectiveOperationException e) {
        return new IllegalStateException("the simulator is not what this tool was built for", e);
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
        if (probing != null && Probing.isOfACore(name)) {
            classfile = probing.into(classfile);
        }
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
