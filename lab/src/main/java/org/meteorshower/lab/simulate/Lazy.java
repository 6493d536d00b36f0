/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Made when it is asked for first. Thread-safe. */
final class Lazy<T> {
    private final Supplier<T> maker;
    private @Nullable T made;

    Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    synchronized T get() {
        T known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return known;
    }
}
