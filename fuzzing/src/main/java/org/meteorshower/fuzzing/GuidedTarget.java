/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What Jazzer calls, in a process of its own: gives each input to the {@link Target} that the system property
 * {@code fuzz.target} names. By name only: nothing here is compiled against Jazzer.
 */
public final class GuidedTarget {
    static final String TARGET = "fuzz.target";

    /** What Jazzer puts into the decoder allocates too: a megabyte for the comparisons in a statement of 140 bytes. */
    private static final int SLACK = 64;

    private static final int WARM_UPS = 16;

    private static @Nullable Judge judge;

    private GuidedTarget() {}

    /** Called once, by Jazzer. */
    public static void fuzzerInitialize() throws Exception {
        Target target = made(Class.forName(System.getProperty(TARGET, "")));
        for (long n = 1; n <= WARM_UPS; n++) {
            try {
                var unused =
                        target.decode(target.sample(new SplittableRandom(n)).bytes());
            } catch (Exception | AssertionError e) {
                // The first ones load classes, which Jazzer changes as they come: a decoder may run into its own time
                // limits.
                System.err.println("warming up: " + e);
            }
        }
        judge = new Judge(target, SLACK);
    }

    /** Called by Jazzer for each input. What this throws is a finding. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (judge == null) {
            throw new IllegalStateException("fuzzerInitialize comes first");
        }
        judge.judge(input, null);
    }

    /** @throws IllegalArgumentException if the class has no constructor without parameters or with a folder */
    static Target made(Class<?> type) throws ReflectiveOperationException, IOException {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            constructor.setAccessible(true);
            if (parameters.length == 0) {
                return (Target) constructor.newInstance();
            } else if (parameters.length == 1 && parameters[0] == Path.class) {
                return (Target) constructor.newInstance(Files.createDirectories(Path.of("target", "guided", "files")));
            }
        }
        throw new IllegalArgumentException(
                type + " needs a constructor without parameters, or with a folder, to be fuzzed by coverage");
    }
}
