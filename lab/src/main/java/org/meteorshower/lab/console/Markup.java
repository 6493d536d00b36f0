/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

/** Text in pages and drawings. */
public final class Markup {
    private Markup() {}

    /** As text or an attribute's value, also without the control characters that XML forbids. */
    public static String escaped(String text) {
        return text.replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
