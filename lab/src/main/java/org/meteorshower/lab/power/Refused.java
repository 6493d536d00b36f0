/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

/** What a file system answers where something cannot be done. */
final class Refused extends Exception {
    static final int ENOENT = 2;
    static final int EIO = 5;
    static final int EEXIST = 17;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENOSPC = 28;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ESTALE = 116;

    private static final long serialVersionUID = 1L;

    final int error;

    Refused(int error) {
        super("error " + error, null, false, false);
        this.error = error;
    }
}
