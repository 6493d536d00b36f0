/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

/** The configuration makes no sense; the message names the option, its value, and what is allowed. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message);
    }
}
