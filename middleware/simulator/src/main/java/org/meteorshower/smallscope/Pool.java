/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Gives things numbers: what is alike gets the same one. Not thread-safe. */
final class Pool<T> {
    private final Function<T, Object> name;
    private final Map<Object, Integer> numbers = new HashMap<>();
    private final List<T> things = new ArrayList<>();

    /** @param name equal for things that are alike */
    Pool(Function<T, Object> name) {
        this.name = name;
    }

    /** Of things that have no equals of their own. */
    static <T> Pool<T> byStructure() {
        return new Pool<>(thing -> Digest.of(thing));
    }

    static <T> Pool<T> byEquality() {
        return new Pool<>(thing -> thing);
    }

    int number(T thing) {
        Integer known = numbers.putIfAbsent(name.apply(thing), things.size());
        if (known != null) {
            return known;
        }
        things.add(thing);
        return things.size() - 1;
    }

    T get(int number) {
        return things.get(number);
    }
}
