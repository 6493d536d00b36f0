/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** A 64-bit finaliser: every input bit changes about half of the output bits. */
final class Mix {
    private Mix() {}

    static long mix(long value) {
        long x = value + 0x9e3779b97f4a7c15L;
        x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
        x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
        return x ^ (x >>> 31);
    }
}
