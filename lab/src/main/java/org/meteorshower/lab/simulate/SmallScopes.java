/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Bug;
import org.meteorshower.smallscope.SmallScope;

/** Searches small worlds: those of the core as it is, or of one with mistakes in it. Thread-safe. */
interface SmallScopes {
    /** See {@link SmallScope#search}. */
    Map<String, Object> search(
            String scenario, @Nullable Integer ticks, int[] bounds, Consumer<Map<String, Object>> progress);

    /** See {@link SmallScope#retell}. */
    @Nullable
    String retell(String scenario, @Nullable Integer ticks, String schedule, Consumer<String> lines);

    /** Of the core as it is, or with a mutant's mistake in it or around it. */
    static SmallScopes of(@Nullable Mutant mutant) {
        if (mutant == null) {
            return of(Bug.NONE);
        } else if (!SmallScope.knows(mutant.bug().name())) {
            throw new IllegalArgumentException(
                    "--mutant: " + mutant.name() + " is a mistake that small worlds have no place for; simulate seeds");
        }
        return mutant.patches().isEmpty() ? of(mutant.bug()) : patched(mutant.patches());
    }

    private static SmallScopes of(Bug bug) {
        return new SmallScopes() {
            @Override
            public Map<String, Object> search(
                    String scenario, @Nullable Integer ticks, int[] bounds, Consumer<Map<String, Object>> progress) {
                return SmallScope.search(scenario, bug.name(), ticks, bounds, progress);
            }

            @Override
            public @Nullable String retell(
                    String scenario, @Nullable Integer ticks, String schedule, Consumer<String> lines) {
                return SmallScope.retell(scenario, bug.name(), ticks, schedule, lines);
            }
        };
    }

    /** Of a core with mistakes in it, which lives in classes of its own. */
    private static SmallScopes patched(List<Patch> patches) {
        Method search;
        Method retell;
        try {
            Class<?> type = new PatchedClasses(patches).loadClass(SmallScope.class.getName());
            search = type.getMethod("search", String.class, String.class, Integer.class, int[].class, Consumer.class);
            retell = type.getMethod("retell", String.class, String.class, Integer.class, String.class, Consumer.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the search is not what this tool was built for", e);
        }
        return new SmallScopes() {
            @Override
            public Map<String, Object> search(
                    String scenario, @Nullable Integer ticks, int[] bounds, Consumer<Map<String, Object>> progress) {
                Map<String, Object> figures = new LinkedHashMap<>();
                if (called(search, scenario, Bug.NONE.name(), ticks, bounds, progress) instanceof Map<?, ?> told) {
                    told.forEach((name, figure) -> figures.put((String) name, figure));
                }
                return figures;
            }

            @Override
            public @Nullable String retell(
                    String scenario, @Nullable Integer ticks, String schedule, Consumer<String> lines) {
                return (String) called(retell, scenario, Bug.NONE.name(), ticks, schedule, lines);
            }
        };
    }

    private static @Nullable Object called(Method method, @Nullable Object... arguments) {
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            } else if (e.getCause() instanceof Error cause) {
                throw cause; // such as that the memory does not suffice
            }
            throw new IllegalStateException("the search could not be run", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the search is not what this tool was built for", e);
        }
    }
}
