/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

/** Checks what people ask for. */
public final class Arguments {
    private Arguments() {}

    /**
     * Throws {@link IllegalArgumentException} with these words where it does not hold; they name the option, and what
     * is possible.
     */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
