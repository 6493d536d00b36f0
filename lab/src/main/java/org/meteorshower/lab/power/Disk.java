/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

/** One of the disks: a folder at the top, which loses power as a whole. Not thread-safe. */
final class Disk {
    final String name;
    final Changes changes = new Changes();
    /** Grows when the power goes: what was opened before is worth nothing afterwards. */
    int life;

    Power power = Power.ON;

    /** Whether it has any. */
    enum Power {
        ON,
        /** It is gone: nothing is forced any more, and whoever asks for it waits. */
        OFF,
        /** The same; who waited was killed meanwhile, and is refused, since only so a process can end. */
        OFF_AND_KILLED
    }

    Disk(String name) {
        this.name = name;
    }
}
