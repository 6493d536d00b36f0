/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * The settings as they are now: they change only by {@link Event.SettingsChanged}. The components of a core share one
 * instance.
 */
final class LiveSettings {
    private Settings now;

    LiveSettings(Settings first) {
        now = first;
    }

    Settings now() {
        return now;
    }

    void change(Settings to) {
        now = to;
    }
}
