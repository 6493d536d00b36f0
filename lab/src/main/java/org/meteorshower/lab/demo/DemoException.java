/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

/** The demo cannot go on. The message names the cause and, where there is one, the cure. */
final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    DemoException(String message, Throwable cause) {
        super(message, cause);
    }
}
