/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

/** Where a long operation says how far it is, one line at a time. Called on the thread that runs the operation. */
@FunctionalInterface
public interface Progress {
    /** Says nothing. */
    Progress NONE = line -> {};

    void say(String line);
}
