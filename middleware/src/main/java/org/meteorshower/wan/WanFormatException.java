/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

/** A line of a network file that makes no sense. The message names the line, the key and what is wrong. */
public final class WanFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    WanFormatException(int line, String key, String what) {
        super("line " + line + ": " + key + " " + what);
    }
}
